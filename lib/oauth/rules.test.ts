import { describe, expect, test } from "vitest";
import {
  describeReturn,
  isRegistered,
  readDocument,
  readMetadata,
  readRedirectUri,
  readRequest,
  returnUrl,
} from "./rules";

const BASE = "https://wallet.example";

describe("a redirect URI", () => {
  test.each([
    "https://app.example/callback",
    "https://app.example/callback?tenant=1",
    "http://localhost:3118/callback",
    "http://127.0.0.1/callback",
    "http://[::1]:9/",
    "cursor://anysphere.cursor-retrieval/oauth/callback",
    "com.example.app:/oauth",
  ])("may be %s", (text) => {
    expect(readRedirectUri(text)).not.toBeNull();
  });

  test.each([
    "http://app.example/callback",
    "http://localhost.evil.example/",
    "http://127.0.0.1.evil.example/",
    "https://app.example/#fragment",
    "https://app.example/#",
    "https://wallet.example@evil.example/",
    "javascript:alert(1)",
    "JavaScript://app.example/%0aalert(1)",
    "data:text/html,x",
    "blob:https://app.example/1",
    "intent://x#Intent;end",
    "vbscript:x",
    "ms-msdt:/id",
    "search-ms:query=x",
    "ethereum:0x1@8453/transfer",
    "chrome-extension://x/y",
    "urn:ietf:wg:oauth:2.0:oob",
    "file:///etc/passwd",
    "/callback",
    "",
    "https://app.example/\ncallback",
    `https://app.example/${"x".repeat(500)}`,
  ])("may not be %s", (text) => {
    expect(readRedirectUri(text)).toBeNull();
  });

  test("must be registered letter by letter, except for the port of a program on this device", () => {
    const registered = ["https://app.example/cb", "http://localhost/cb", "http://127.0.0.1:1/cb?a=1"];
    const isKnown = (uri: string) => isRegistered(uri, registered);
    for (const uri of ["https://app.example/cb", "http://localhost:50123/cb", "http://127.0.0.1:7/cb?a=1"])
      expect([uri, isKnown(uri)]).toEqual([uri, true]);
    for (const uri of [
      "https://app.example:444/cb",
      "https://app.example/cb/",
      "https://app.example/cb?x=1",
      "https://APP.example/cb",
      "https://app.example.evil.example/cb",
      "http://localhost:1/cb/../other",
      "http://localhost:1/other",
      "http://127.0.0.1:7/cb",
      "http://[::1]:7/cb",
    ])
      expect([uri, isKnown(uri)]).toEqual([uri, false]);
  });

  test("is described by what a person can check", () => {
    expect(describeReturn("https://app.example:8443/cb?x=y")).toBe("app.example:8443");
    expect(describeReturn("http://localhost:5000/")).toBe("a program on this device");
    expect(describeReturn("cursor://a/b")).toBe("the program that opens cursor:// links");
  });
});

describe("the metadata of an app", () => {
  const redirect_uris = ["https://app.example/cb"];

  test("keeps a name that can be shown", () => {
    const nameOf = (client_name: unknown) => readMetadata({ client_name, redirect_uris });
    expect(nameOf("  Claude\n ")).toMatchObject({ name: "Claude" });
    expect(nameOf("a\u202egnp.exe")).toMatchObject({ name: "agnp.exe" });
    expect(nameOf("x".repeat(300))).toMatchObject({ name: "x".repeat(100) });
    for (const blank of [undefined, "", "\u200b\u3164"])
      expect(nameOf(blank)).toMatchObject({ name: "App without a name" });
    expect(nameOf(7)).toBe("invalid_client_metadata");
  });

  test("is refused without redirect URIs that may be used", () => {
    for (const uris of [
      undefined,
      [],
      ["javascript:x"],
      [...redirect_uris, "http://x.example"],
      Array(11).fill("https://a.example/"),
    ])
      expect(readMetadata({ redirect_uris: uris })).toBe("invalid_redirect_uri");
    expect(readMetadata(null)).toBe("invalid_client_metadata");
  });

  test("names its own URL if it is a document", () => {
    const url = "https://app.example/client.json";
    expect(readDocument(url, { client_id: url, redirect_uris })).toMatchObject({ redirectUris: redirect_uris });
    for (const client_id of [undefined, `${url}/`, "https://other.example/client.json"])
      expect(readDocument(url, { client_id, redirect_uris })).toBe("invalid_client_metadata");
  });
});

describe("an authorization request", () => {
  const query = {
    response_type: "code",
    client_id: "app_1",
    redirect_uri: "https://app.example/cb?x=1",
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256",
    state: "a b&c",
  };

  test("returns to the app with the decision, its state and the name of this server", () => {
    const request = readRequest({ ...query, resource: `${BASE}/mcp/`, scope: "openid", prompt: "consent" }, BASE);
    if ("parameter" in request) throw new Error(request.parameter);
    const url = new URL(returnUrl(request, { code: "oac_1" }, BASE));
    expect(url.origin + url.pathname).toBe("https://app.example/cb");
    expect(Object.fromEntries(url.searchParams)).toEqual({ x: "1", code: "oac_1", state: "a b&c", iss: BASE });
    const scheme = returnUrl(
      { ...request, redirectUri: "cursor://a/b", state: null },
      { error: "access_denied" },
      BASE,
    );
    expect(scheme).toBe(`cursor://a/b?error=access_denied&iss=${encodeURIComponent(BASE)}`);
  });

  test.each<[string, object]>([
    ["response_type", { response_type: "token" }],
    ["response_type", { response_type: undefined }],
    ["client_id", { client_id: "" }],
    ["redirect_uri", { redirect_uri: undefined }],
    ["redirect_uri", { redirect_uri: "javascript:x" }],
    ["redirect_uri", { redirect_uri: "https://app.example/cb?\u0000" }],
    ["client_id", { client_id: "\u0000" }],
    ["redirect_uri", { redirect_uri: ["https://app.example/cb", "https://evil.example"] }],
    ["code_challenge", { code_challenge: undefined }],
    ["code_challenge", { code_challenge: "short" }],
    ["code_challenge_method", { code_challenge_method: "plain" }],
    ["code_challenge_method", { code_challenge_method: undefined }],
    ["state", { state: "\u0000" }],
    ["resource", { resource: "https://other.example/mcp" }],
    ["resource", { resource: `${BASE}/api` }],
  ])("is refused for its %s: %j", (parameter, change) => {
    expect(readRequest({ ...query, ...change }, BASE)).toEqual({ parameter });
  });
});
