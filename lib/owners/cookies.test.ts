import { describe, expect, test } from "vitest";
import { cookieNames, onlyCookie, repeatedCookie } from "./cookies";

const http = cookieNames("http://localhost:3000");
const https = cookieNames("https://pay.example");
const NAME = http.session;

describe("the names of the cookies", () => {
  test("are bound to the host under https, and plain under http", () => {
    expect(Object.values(https)).toEqual([
      "__Host-next-auth.session-token",
      "__Host-next-auth.csrf-token",
      "__Host-next-auth.callback-url",
    ]);
    expect(Object.values(http).every((name) => !name.startsWith("__"))).toBe(true);
  });

  test("are never used for two purposes", () => {
    for (const name of Object.values(http)) {
      for (const prefix of ["__Host-", "__Secure-"]) expect(onlyCookie(`${prefix}${name}=x`, name)).toBeNull();
    }
    for (const name of Object.values(https)) {
      for (const other of [name.replace("__Host-", "__Secure-"), name.replace("__Host-", ""), name.toLowerCase()]) {
        expect(onlyCookie(`${other}=x`, name)).toBeNull();
      }
    }
  });
});

describe("a cookie's value", () => {
  test.each([
    `${NAME}=abc`,
    ` ${NAME}=abc `,
    `${NAME} = abc`,
    `a=b;${NAME}=abc`,
    `a=b; ${NAME}=abc; c=d`,
    `x${NAME}=1; ${NAME}=abc; ${NAME}x=2; ${NAME}.0=3`,
    `${NAME.toUpperCase()}=1; ${NAME}=abc`,
    `;;; ; ${NAME}=abc;`,
    `a; b=; =c; ${NAME}=abc`,
  ])("is read from %j", (header) => expect(onlyCookie(header, NAME)).toBe("abc"));

  test("is read completely, including equals signs", () => {
    expect(onlyCookie(`${NAME}=a=b==`, NAME)).toBe("a=b==");
  });

  test("is read up to the size that browsers store", () => {
    expect(onlyCookie(`${NAME}=${"x".repeat(4096)}`, NAME)).toHaveLength(4096);
    expect(onlyCookie(`${NAME}=${"x".repeat(4097)}`, NAME)).toBeNull();
  });
});

describe("a request has no session", () => {
  test.each([
    null,
    "",
    ";",
    NAME,
    `${NAME}=`,
    `x${NAME}=abc`,
    `${NAME}x=abc`,
    `=${NAME}=abc`,
    `a="; ${NAME}x=abc"`,
    `${NAME.replace("-token", "-Token")}=abc`,
    ...["abc", "def", "", '"abc"'].flatMap((second) => [
      `${NAME}=abc; ${NAME}=${second}`,
      `${NAME}=${second}; a=b; ${NAME}=abc`,
      `${NAME}=abc;${NAME} =${second}`,
      `${NAME}=abc;\t${NAME}=${second}`,
    ]),
    `${NAME}=abc; ${NAME}`,
    `${NAME}; ${NAME}=abc`,
    Array.from({ length: 1000 }, () => `${NAME}=abc`).join("; "),
  ])("with the cookie header %j", (header) => expect(onlyCookie(header, NAME)).toBeNull());
});

test("a cookie that is sent twice is reported by name", () => {
  for (const names of [http, https]) {
    for (const name of Object.values(names)) {
      expect(repeatedCookie(`${name}=a; b=c; ${name}=a`, names)).toBe(name);
      expect(repeatedCookie(`${name}=a; b=c; x${name}=a`, names)).toBeNull();
    }
  }
  expect(repeatedCookie("a=b; a=b", http)).toBeNull();
  expect(repeatedCookie(null, http)).toBeNull();
});
