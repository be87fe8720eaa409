import { describe, expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import { explainRefusal, findListed, LIST_BYTES_MAX, readList, refusalBy } from "./rules";

const ONE = toAddress("0x70997970c51812dc3a010c7d01b50e0d17dc79c8");
const TWO = toAddress("0x8589427373d6d84e98730d7795d8f6f8731fda16");
const read = (text: string) => readList(new TextEncoder().encode(text));
const addressesOf = async (text: string) => {
  const list = await read(text);
  return list.type === "read" ? [...list.addresses] : list.why;
};
const BOTH = [ONE.toLowerCase(), TWO.toLowerCase()];

const CSV = (...remarks: string[]) =>
  remarks.map((remark, index) => `${index},"NAME, Some","individual","CYBER2",-0- ,"${remark}"`).join("\r\n");

const XML = (...ids: string[]) =>
  `<?xml version="1.0"?><sdnList xmlns="http://tempuri.org/sdnList.xsd"><sdnEntry>${ids.join("\n")}</sdnEntry></sdnList>\n`;
const id = (type: string, number: string) =>
  `<id><uid>1</uid>\n<idType>${type}</idType>\n  <idNumber>${number}</idNumber></id>`;

describe("a list is read from", () => {
  test.each([
    ["lines", `# ours\n${ONE}\n\n  ${TWO.toLowerCase()}  # a comment\n`],
    ["lines of Windows, after a mark of byte order", `\ufeff${ONE}\r\n${TWO}\r\n`],
    ["lines in capitals and repeated lines", `0x${ONE.slice(2).toUpperCase()}\n${ONE}\n${TWO}`],
    ["a JSON array", JSON.stringify([ONE, TWO])],
    [
      "OFAC's CSV",
      CSV(
        `DOB 1 Jan 1990; Digital Currency Address - ETH ${ONE}; Digital Currency Address - XBT 12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h; alt. Digital Currency Address - USDC ${TWO};`,
        "Passport 0x1234",
      ),
    ],
    [
      "OFAC's XML",
      XML(
        id("Digital Currency Address - ETH", ONE),
        id("Digital Currency Address - XBT", "12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h"),
        id("Passport", "0x1234"),
        id("Digital Currency Address - USDC", TWO),
      ),
    ],
  ])("%s", async (_name, text) => {
    expect(await addressesOf(text)).toEqual(BOTH);
  });

  test("OFAC's CSV in Windows-1252", async () => {
    const bytes = Buffer.from(CSV(`José; Digital Currency Address - ETH ${ONE}`), "latin1");
    expect(await readList(bytes)).toEqual({ type: "read", addresses: new Set([ONE.toLowerCase()]) });
  });
});

describe("a list is broken with", () => {
  const wrong = `${ONE.slice(0, -2)}${ONE.slice(-2) === "C8" ? "c8" : "C8"}`;
  test.each([
    ["nothing", "", "no address"],
    ["comments only", "# nobody\n\n", "no address"],
    ["an empty array", "[]", "no address"],
    ["a wrong checksum", `${TWO}\n${wrong}`, "entry 2 has a wrong EIP-55 checksum"],
    ["a cut address", `${ONE}\n${TWO.slice(0, 30)}`, "entry 2 is not a 20-byte 0x address"],
    ["a page in place of a file", "<!doctype html><title>Sign in</title>", "not a whole SDN file: its end is missing"],
    ["an error in place of a file", "Service Unavailable", "entry 1 is not a 20-byte 0x address"],
    ["two addresses in a line", `${ONE} ${TWO}`, "entry 1 is not a 20-byte 0x address"],
    ["half of a JSON array", `["${ONE}","${TWO}"`, "not valid JSON"],
    ["objects in a JSON array", `[{"address":"${ONE}"}]`, "not a JSON array of strings"],
    [
      "half of an XML file",
      XML(id("Digital Currency Address - ETH", ONE)).slice(0, -20),
      "not a whole SDN file: its end is missing",
    ],
    [
      "a cut address in a CSV file",
      CSV(`Digital Currency Address - ETH ${ONE.slice(0, 20)}`),
      "entry 1 is not a 20-byte 0x address",
    ],
    ["a CSV file without EVM addresses", CSV("Digital Currency Address - XBT 12QtD5BFwRsdNs"), "no address"],
  ])("%s", async (_name, text, why) => {
    expect(await addressesOf(text)).toBe(why);
  });

  test("bytes that are not text, and too many of them", async () => {
    expect(await readList(new Uint8Array([0x30, 0xff, 0xfe]))).toEqual({ type: "broken", why: "not UTF-8" });
    expect(await readList(new Uint8Array(LIST_BYTES_MAX + 1))).toMatchObject({ type: "broken" });
  });

  test("labels followed by megabytes of spaces, in time", async () => {
    const startedAt = performance.now();
    expect(await addressesOf(`Digital Currency Address - ETH${" ".repeat(4_000_000)}x`)).toBe("no address");
    expect(await addressesOf("Digital Currency Address - ETH </idType>".repeat(50_000))).toBe("no address");
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });
});

test("a list of 100,000 addresses answers other work while it is read", async () => {
  const lines = Array.from({ length: 100_000 }, (_, index) => toLine(index));
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
  }, 1);
  const list = await read(lines.join("\n"));
  clearInterval(timer);
  expect(list.type === "read" && list.addresses.size).toBe(100_000);
  expect(ticks).toBeGreaterThan(2);
  if (list.type !== "read") return;
  const loaded = [{ name: "big", digest: "", addresses: list.addresses }];
  expect(findListed(loaded, [ONE, toAddress(toLine(99_999))])).toEqual({
    address: toAddress(toLine(99_999)),
    list: "big",
  });
  expect(findListed(loaded, [ONE, TWO])).toBeNull();
});

const toLine = (index: number): string => `0x${(index + 1).toString(16).padStart(40, "0")}`;

describe("an owner's own lists", () => {
  const none = { paysOnlyListed: false, listed: [] };
  const only = (...payees: string[]) => ({
    paysOnlyListed: true,
    listed: payees.map((payee) => ({ list: "allow" as const, payee })),
  });
  const deny = (payee: string) => ({ paysOnlyListed: true, listed: [{ list: "deny" as const, payee }] });
  const hosts = ["api.example.com", "api.example.com:443"];
  const paid = { payees: [ONE], hosts, isReturn: false };

  test.each([
    ["no list", none, paid, null],
    ["a denied address", deny(ONE), paid, { rule: "deny", payee: ONE }],
    ["a denied host", deny("api.example.com:443"), paid, { rule: "deny", payee: "api.example.com:443" }],
    ["an allowed address", only(ONE), paid, null],
    ["an allowed host", only("api.example.com"), paid, null],
    ["nobody allowed", only(), paid, { rule: "allow", payee: ONE }],
    ["one share of two allowed", only(ONE), { ...paid, payees: [ONE, TWO], hosts: [] }, { rule: "allow", payee: TWO }],
    ["service credits", only(), { ...paid, payees: [] }, { rule: "allow", payee: "api.example.com" }],
    ["a refund", only(), { ...paid, hosts: [], isReturn: true }, null],
    ["a refund to a denied buyer", deny(ONE), { ...paid, isReturn: true }, { rule: "deny", payee: ONE }],
  ])("with %s", (_name, lists, order, refusal) => {
    expect(refusalBy(lists, order)).toEqual(refusal);
  });

  test("deny goes before allow", () => {
    const both = [
      { list: "allow" as const, payee: ONE },
      { list: "deny" as const, payee: ONE },
    ];
    expect(refusalBy({ paysOnlyListed: true, listed: both }, paid)?.rule).toBe("deny");
  });

  test("the error names the owner's list and what it refuses", () => {
    expect(explainRefusal({ rule: "deny", payee: ONE }, "https://w.example")).toMatchObject({
      list: "yours",
      rule: "deny",
      address: ONE,
      message: expect.stringContaining("https://w.example/dashboard/wallet#payees"),
    });
    expect(explainRefusal({ rule: "allow", payee: "a.example" }, "")).toMatchObject({
      list: "yours",
      host: "a.example",
    });
  });
});
