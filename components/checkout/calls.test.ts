import { expect, test } from "vitest";
import { wordsOf } from "@/components/texts/words";
import { callLines, callPrice } from "./calls";

const paidUrl = "https://wallet.test/paid/lnk_1";
const calls = (...paths: { path: string | null; amount: string }[]) => ({
  ...{ paidUrl, paths },
  openApiUrl: "",
  methods: ["GET", "POST"],
});
const TEXTS = wordsOf("en", "offer");

test("the price of a request is one, or from the lowest to the highest", () => {
  const dear = { path: "/a", amount: "500000" };
  expect(callPrice(calls(dear, dear), TEXTS)).toBe("0.50 USDC");
  const some = calls(dear, { path: "/b", amount: "9000" }, { path: "/c", amount: "10000" });
  expect(callPrice(some, TEXTS)).toBe("0.009 USDC to 0.50 USDC");
});

test("a call has the first path with its variable in capitals, its method and its price", () => {
  expect(callLines(calls({ path: "/quotes/{symbol}", amount: "20000" }))).toEqual({
    curl: `curl -i '${paidUrl}/quotes/SYMBOL'`,
    client: `await tessera.pay("${paidUrl}/quotes/SYMBOL", {}, { maxAmount: parseUsdc("0.02") });`,
  });
  expect(callLines({ ...calls({ path: null, amount: "10000" }), methods: ["PUT"] })).toEqual({
    curl: `curl -i -X PUT '${paidUrl}/PATH'`,
    client: `await tessera.pay("${paidUrl}/PATH", { method: "PUT" }, { maxAmount: parseUsdc("0.01") });`,
  });
});

test("a path cannot leave the quotes of a command", () => {
  const { curl } = callLines(calls({ path: "/a'$(reboot)&b'", amount: "1" }));
  expect(curl).toBe(`curl -i '${paidUrl}/a%27$(reboot)&b%27'`);
});
