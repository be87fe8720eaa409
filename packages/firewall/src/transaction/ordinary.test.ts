import { concatHex, type Hex, size, stringToHex } from "viem";
import { describe, expect, test } from "vitest";
import {
  approve,
  CONTRACT,
  call,
  codesOf,
  encoded,
  execute,
  HANDLER,
  MAX,
  multicall,
  multiSend,
  OTHER,
  PERSON,
  packed,
  plan,
  router,
  safe,
  said,
  scan,
  setUp,
  transfer,
  tree,
  USDC,
  WORD,
  ZERO,
} from "../../testing/nested-calls.ts";
import { transactionRules } from "./rules.ts";
import { scanTransaction } from "./scan.ts";

const [unlimited, paid] = [approve(MAX), transfer(PERSON)];

/** ERC-8021: the codes, their length, the number of the scheme, and sixteen bytes of mark. */
const attributed = (data: Hex, ...codes: string[]): Hex => {
  const text = stringToHex(codes.join(","));
  return concatHex([data, text, `0x${size(text).toString(16).padStart(2, "0")}`, "0x00", `0x${"8021".repeat(8)}`]);
};

describe("an attribution suffix after the arguments", () => {
  test.each<[name: string, wrap: (data: Hex) => Hex]>([
    ["of the whole call", (data) => attributed(data, "baseapp")],
    ["of two apps", (data) => attributed(data, "baseapp", "acme-pay")],
    ["of a call inside a batch", (data) => multicall(attributed(data, "shop"), paid)],
    ["of a batch", (data) => attributed(multicall(data), "shop")],
    ["in packed transactions", (data) => multiSend(packed(USDC, attributed(data, "x")), packed(USDC, paid))],
    ["of an account's call", (data) => execute(USDC, attributed(data, "wallet"))],
    ["and another after it", (data) => concatHex([attributed(data, "one"), "0x360c6ebe"])],
  ])("%s is ordinary", (_name, wrap) => {
    expect(codesOf(wrap(paid))).not.toContain("MALFORMED_CALLDATA");
    expect(scan(wrap(paid)).verdict).toBe("pass");
    expect(codesOf(wrap(unlimited))).toContain("UNLIMITED_APPROVAL");
    expect(codesOf(wrap(unlimited))).not.toContain("MALFORMED_CALLDATA");
  });

  test("does not complete arguments that end early", () => {
    const short = paid.slice(0, -64) as Hex;
    expect(codesOf(short)).toEqual(["MALFORMED_CALLDATA"]);
    expect(codesOf(concatHex([short, "0x360c6ebe"]))).toEqual(["MALFORMED_CALLDATA"]);
    expect(codesOf(multicall(short))).toContain("MALFORMED_CALLDATA");
  });
});

describe("the creation of a Safe", () => {
  const create = (to: Hex, data: Hex, handler: Hex) => {
    const setup = setUp({ owners: [PERSON, OTHER], to, data, handler });
    return call("createProxyWithNonce(address,bytes,uint256)", [OTHER, setup, 7n]);
  };
  const [LIBRARY, SAFE] = [
    "0xbd89a1ce4dde368ffab0ec35506eece0b1ffdc54",
    "0x29fcb43b46531bca003ddc8fcb67ffe91900c762",
  ] as const;
  const toL2 = (code: Hex) => call("setupToL2(address)", [code]);

  test.each<[version: string, library: Hex, handler: Hex]>([
    ["1.4.1", LIBRARY, HANDLER],
    ["1.5.0", "0x900c7589200010d6c6ecaae5b06ebe653bc2d82a", "0x3efcbb83a4a7afcb4f68d501e2c2203a38be77f4"],
  ])("of version %s is set up for a second layer without a change of ownership", (_version, library, handler) => {
    const data = create(library, toL2(OTHER), handler);
    expect(codesOf(data)).not.toContain("OWNERSHIP_CHANGE");
    expect(tree(data)).toContain("setup@0xab84[setupToL2@");
    expect(scan(data).findings.every(({ severity }) => severity !== "critical")).toBe(true);
  });

  test("may get a Safe's code from its library, and other code is a person's to judge", () => {
    const [ofSafe, ofOther] = ([SAFE, OTHER] as const).map((code) => said(create(LIBRARY, toL2(code), HANDLER)));
    expect(ofSafe).not.toContain(transactionRules.setupControl.message);
    expect(ofOther).toContain(transactionRules.setupControl.message);
    expect(codesOf(toL2(SAFE))).toContain("OWNERSHIP_CHANGE");
  });

  test.each<Hex>(["0x85a8ca358d388530ad0fb95d0cb89dd44fc242c3", "0x3efcbb83a4a7afcb4f68d501e2c2203a38be77f4"])(
    "may have the handler %s",
    (handler) => {
      expect(codesOf(create(ZERO, "0x", handler))).toEqual(["NESTED_CALL", "PRIVILEGED_FUNCTION"]);
    },
  );
});

describe("a batch of a Safe", () => {
  const batch = (to: Hex) => safe(to, multiSend(packed(USDC, paid)), 1);

  test.each<[version: string, library: Hex]>([
    ["1.1.1", "0x8d29be29923b68abfdd21e541b9374737b49cdad"],
    ["1.3.0, of calls only, as on Base", "0xa1dabef33b3b82c7814b6d82a79e50f4ac44102b"],
    ["1.4.1, of calls only", "0x9641d764fc13c8b624c04430c7356c1c7c8102e2"],
    ["1.5.0", "0x218543288004cd07832472d464648173c77d7eb7"],
    ["1.5.0, of calls only", "0xa83c336b20401af773b6219ba5027174338d1836"],
  ])("by the library of version %s is decoded, and does not count as foreign code", (_version, library) => {
    expect(tree(batch(library))).toMatch(/\[multiSend@\w+\[transfer@0x8335\]\]$/);
    expect(scan(batch(library)).verdict).not.toBe("block");
  });

  test("by an unknown contract counts as foreign code", () => {
    expect(scan(batch(OTHER)).verdict).toBe("block");
  });
});

describe("a marketplace order in a router's command", () => {
  const order = (data: Hex) => encoded("uint256, bytes", 10n ** 16n, data);
  const sweep = encoded("address, address, uint256", ZERO, PERSON, 0n);
  const permit = encoded("address, address, uint256", USDC, PERSON, 3n);

  test.each<[name: string, data: Hex]>([
    ["beside a sweep", router("0x1104", order(WORD), sweep)],
    ["after a paid", router("0x0519", permit, order(WORD))],
    ["in a plan", router("0x21", plan("0x1e", order(WORD)))],
    ["with an attribution inside", router("0x11", order(attributed(WORD, "shop")))],
    ["with an attribution behind", attributed(router("0x11", order(WORD)), "shop")],
  ])("is legal nesting %s", (_name, data) => {
    expect(codesOf(data)).toContain("MARKETPLACE_ORDER");
    expect(codesOf(data)).not.toContain("MALFORMED_CALLDATA");
  });

  test("spends what the transaction brings, and needs a look instead of a stop", () => {
    const data = router("0x1104", order(WORD), sweep);
    const value = { to: CONTRACT, data, valueWei: `${10n ** 16n}` };
    expect([scanTransaction(value).verdict, scan(data).verdict]).toEqual(["review", "pass"]);
    // By itself, the sender fulfils the order with what it owns.
    const direct = `0xb3a34c4c${"00".repeat(2)}` as Hex;
    expect(scan(direct).findings).toContainEqual(
      expect.objectContaining({ code: "MARKETPLACE_ORDER", severity: "high" }),
    );
  });

  test("paid by an allowance without a limit is stopped: the router's code is not known", () => {
    const permitted = [[USDC, 2n ** 160n - 1n, 2_000_000_000, 0], OTHER, 2_000_000_000n];
    const allowance = encoded("((address, uint160, uint48, uint48), address, uint256), bytes", permitted, "0x11");
    const { verdict, findings } = scan(router("0x0a11", allowance, order(WORD)));
    expect(verdict).toBe("block");
    expect(findings[0]).toMatchObject({ code: "UNLIMITED_APPROVAL", severity: "critical" });
  });

  test("is malformed when it is cut off, or when commands and inputs differ in number", () => {
    expect(codesOf(router("0x11", order(WORD).slice(0, -40) as Hex))).toContain("MALFORMED_CALLDATA");
    expect(codesOf(router("0x1104", order(WORD)))).toContain("MALFORMED_CALLDATA");
  });
});
