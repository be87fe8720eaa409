import { expect, test } from "vitest";
import { type Readable, readable } from "@/components/wallet/readable";
import type { TypedDataJson } from "@/components/wallet/test-wallet";
import type { Descriptor } from "@/lib/clear-signing/contract";
import { encodeType } from "@/lib/clear-signing/encode-type";
import { call } from "../support/http";
import { shareService } from "../support/service";
import { claimed, vaultData } from "../support/vault-mandates";

shareService();

type List = { descriptors: { url: string; messages: string[] }[] };

const LIST = "/.well-known/erc7730";
const list = async () => (await call("GET", LIST)).body as List;

/** The way a wallet does it: finds the descriptor by the message's type among those that the service serves. */
async function read(typedData: TypedDataJson): Promise<Readable> {
  const type = encodeType(typedData.primaryType, typedData.types);
  const { descriptors } = await list();
  const url = descriptors.find(({ messages }) => messages.includes(type))?.url ?? "";
  const { body } = await call("GET", new URL(url).pathname);
  const readableForm = readable(body as Descriptor, typedData);
  if (!readableForm) throw new Error("the descriptor is for another message");
  return readableForm;
}

const textOf = ({ fields }: Readable, label: string) => fields.find((field) => field.label === label)?.text;

test("every listed ERC-7730 descriptor is served to any origin, and no other path is", async () => {
  const response = await call("GET", LIST);
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  const { descriptors } = response.body as List;
  expect(descriptors.length).toBeGreaterThan(3);
  for (const { url, messages } of descriptors) {
    const one = await call("GET", new URL(url).pathname);
    expect([one.status, one.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
    expect(Object.keys((one.body as Descriptor).display.formats)).toEqual(messages);
  }
  const unknown = await call("GET", `${LIST}/eip712-other.json`);
  expect([unknown.status, unknown.body]).toMatchObject([404, { code: "DESCRIPTOR_NOT_FOUND" }]);
});

test("with its descriptor, a mandate for the spending wallet is displayed as its terms in words", async () => {
  const { owner, mandateId, agent } = await claimed({ hostAllowlist: ["shop.example.com"] });
  const { body } = await call("GET", `/api/mandates/${mandateId}/typed-data`, { session: owner.session });
  const readable = await read(body as TypedDataJson);
  expect(readable.sentence).toMatch(
    new RegExp(`^Allow agent ${agent.agentId} to spend up to 1\\.00 USDC in total until `),
  );
  expect(textOf(readable, "May pay (empty: any host)")).toBe("shop.example.com");
});

test("with their descriptors, a vault's mandate, its funding and its permit are displayed with amounts and addresses", async () => {
  const { owner, mandateId } = await claimed();
  const { vault, ...funding } = (await vaultData(owner, mandateId)).body as TypedDataJson & { vault: Vault };
  expect((await read(funding)).sentence).toBe(`Pay 1.00 USDC into ${vault.address}`);
  expect((await read(vault.mandate)).sentence).toMatch(/spend up to 1\.00 USDC in total/);
  const path = `/api/mandates/${mandateId}/typed-data?mode=vault&funding=permit`;
  const { permit } = (await call("GET", path, { session: owner.session })).body as { permit: TypedDataJson };
  expect((await read(permit)).sentence).toBe(
    `Allow ${vault.address} to draw up to 1.00 USDC from ${owner.account.address}`,
  );
});

type Vault = { address: string; mandate: TypedDataJson };
