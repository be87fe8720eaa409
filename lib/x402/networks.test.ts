import { expect, test } from "vitest";
import { networkText } from "./network-text";
import { NETWORKS, networkNamed } from "./networks";

test("a network is named by its x402 v1 name or its CAIP-2 id, and by nothing else", () => {
  for (const text of ["base", "eip155:8453"]) expect(networkText.parse(text)).toBe("base");
  for (const text of ["base-sepolia", "eip155:84532"]) expect(networkText.parse(text)).toBe("base-sepolia");
  for (const text of ["", "Base", "BASE", "base ", "8453", "eip155:1", "eip155:08453", "ethereum", "__proto__"]) {
    expect(networkNamed(text), text).toBeNull();
    expect(networkText.safeParse(text).success, text).toBe(false);
  }
});

test("the environment variables of a network contain its name", () => {
  expect(Object.values(NETWORKS).map(({ variables }) => variables)).toEqual([
    { rpcUrl: "BASE_RPC_URL", feeCap: "BASE_FEE_CAP" },
    { rpcUrl: "BASE_SEPOLIA_RPC_URL", feeCap: "BASE_SEPOLIA_FEE_CAP" },
  ]);
});
