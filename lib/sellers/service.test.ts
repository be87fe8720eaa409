import { afterEach, describe, expect, test, vi } from "vitest";
import { checkRecords } from "./service";

const TOKEN = "0123456789abcdefABCDEFgh";
const PROOF = `tessera-verification=${TOKEN}`;

const asked: string[] = [];
const resolver = (respond: (host: string) => Promise<string[][]>) => ({
  resolveTxt: (host: string) => {
    asked.push(host);
    return respond(host);
  },
  cancel: () => undefined,
});

afterEach(() => {
  asked.length = 0;
  vi.useRealTimers();
});

describe("the proof of a domain in DNS", () => {
  test.each<[string, string[][]]>([
    ["alone", [[PROOF]]],
    ["among others", [["v=spf1 -all"], [PROOF]]],
    ["in parts of one record", [[PROOF.slice(0, 10), PROOF.slice(10)]]],
  ])("is found %s", async (_, records) => {
    expect(
      await checkRecords(
        "shop.example.com",
        TOKEN,
        resolver(async () => records),
      ),
    ).toBeNull();
    expect(asked).toEqual(["shop.example.com"]);
  });

  test.each<[string, string[][]]>([
    ["no record", []],
    ["another token", [["tessera-verification=000000000000000000000000"]]],
    ["the token alone", [[TOKEN]]],
    ["the token inside of another text", [[`x${PROOF}`]]],
    ["parts of two records", [[PROOF.slice(0, 10)], [PROOF.slice(10)]]],
  ])("is not found with %s", async (_, records) => {
    expect(
      await checkRecords(
        "shop.example.com",
        TOKEN,
        resolver(async () => records),
      ),
    ).toBe("no TXT record contains the token");
  });

  test("is not found if the name server does not know the name", async () => {
    const refusal = resolver(() =>
      Promise.reject(Object.assign(new Error("queryTxt ENOTFOUND"), { code: "ENOTFOUND" })),
    );
    expect(await checkRecords("shop.example.com", TOKEN, refusal)).toBe("no TXT record was found");
  });

  test("is looked up for at most five seconds", async () => {
    vi.useFakeTimers();
    let give: (cause: Error) => void = () => undefined;
    const silent = {
      resolveTxt: () =>
        new Promise<string[][]>((_, reject) => {
          give = reject;
        }),
      cancel: () => give(new Error("queryTxt ECANCELLED")),
    };
    const found = checkRecords("shop.example.com", TOKEN, silent);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await found).toBe("no TXT record was found");
  });

  test("is not looked up for localhost", async () => {
    expect(
      await checkRecords(
        "localhost",
        TOKEN,
        resolver(async () => [[PROOF]]),
      ),
    ).toBe("localhost has no DNS records");
    expect(asked).toEqual([]);
  });
});
