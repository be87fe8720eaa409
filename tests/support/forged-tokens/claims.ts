import { deflateRawSync } from "node:zlib";
import { type Part, signed, type TokenParts, withClaims } from "./parts";
import { now, type Row, textOf } from "./row";

const withText =
  (change: (text: string) => string | Buffer) =>
  (m: TokenParts): string =>
    signed(m.header, change(textOf(m.claims)), m.key);

/** Wrong in a login JWT as in a credential, under our own signature. */
export const CLAIMS: readonly Row[] = [
  ["no exp", withClaims({ exp: undefined })],
  ["exp null", withClaims({ exp: null })],
  ["exp as text", withClaims({ exp: "9999999999" })],
  ["a fractional exp", (m) => withClaims({ exp: now() + 60.5 })(m)],
  ["exp as a list", (m) => withClaims({ exp: [now() + 60] })(m)],
  ["exp 1e400", withText((text) => text.replace(/"exp":\d+/, '"exp":1e400'))],
  ["exp beyond the safe integers", withClaims({ exp: 2 ** 53 })],
  ["a negative exp", withClaims({ exp: -1 })],
  ["exp this second", (m) => withClaims({ exp: now() })(m)],
  ["exp last year", withClaims({ iat: 1, exp: 2 })],
  ["exp before iat", (m) => withClaims({ iat: now() + 50, exp: now() + 40 })(m)],
  ["no iat", withClaims({ iat: undefined })],
  ["iat null", withClaims({ iat: null })],
  ["iat as text", (m) => withClaims({ iat: String(now()) })(m)],
  ["a fractional iat", (m) => withClaims({ iat: now() - 0.5 })(m)],
  ["iat in an hour", (m) => withClaims({ iat: now() + 3600, exp: now() + 4000 })(m)],
  ["nbf in an hour", (m) => withClaims({ nbf: now() + 3600 })(m)],
  ["nbf as text", withClaims({ nbf: "0" })],
  ["nbf null", withClaims({ nbf: null })],
  ["another issuer", withClaims({ iss: "service-agent-did.evil" })],
  ["the issuer with a slash", withClaims({ iss: "service-agent-did/" })],
  ["the issuer in upper case", withClaims({ iss: "SERVICE-AGENT-DID" })],
  ["issuers", withClaims({ iss: ["service-agent-did"] })],
  ["no issuer", withClaims({ iss: undefined })],
  ["no sub", withClaims({ sub: undefined })],
  ["an empty sub", withClaims({ sub: "" })],
  ["sub as a number", withClaims({ sub: 1 })],
  ["subs", (m) => withClaims({ sub: [m.claims.sub] })(m)],
  ["sub twice", withText((text) => text.replace("{", `{"sub":"${crypto.randomUUID()}",`))],
  ["sub twice, once escaped", withText((text) => text.replace("{", `{"\\u0073ub":"${crypto.randomUUID()}",`))],
  ["exp twice", withText((text) => text.replace("{", '{"exp":9999999999,'))],
  ["__proto__ in the payload", withText((text) => text.replace("{", '{"__proto__":{"admin":true},'))],
  ["constructor in the payload", withText((text) => text.replace("{", '{"constructor":{},'))],
  ["a BOM before the payload", withText((text) => `\ufeff${text}`)],
  ["a payload that is not UTF-8", withText((text) => Buffer.from(text.replace("{", '{"email":"\xff",'), "latin1"))],
  ["a payload with more behind", withText((text) => `${text}{}`)],
  [
    "a payload nested too deeply",
    withText((text) => text.replace("{", `{"email":${"[".repeat(40)}${"]".repeat(40)},`)),
  ],
  ["a compressed payload", (m) => signed({ ...m.header, zip: "DEF" }, deflateRawSync(textOf(m.claims)), m.key)],
  ["a compressed payload without a zip header", (m) => signed(m.header, deflateRawSync(textOf(m.claims)), m.key)],
  ["claims that are a list", withText((text) => `[${text}]`)],
  ["claims that are text", withText((text) => JSON.stringify(text))],
  ["claims that are null", withText(() => "null")],
  ["claims that are no JSON", withText(() => "claims")],
  ["no claims", withText(() => "{}")],
];

export const LOGIN_CLAIMS: readonly Row[] = [
  ["no agent_id", withClaims({ agent_id: undefined })],
  ["an agent_id that is SQL", withClaims({ agent_id: "' or 1=1 --", sub: "' or 1=1 --" })],
  ["agent_ids", (m) => withClaims({ agent_id: [m.claims.sub] })(m)],
  ["an agent_id in upper case", (m) => withClaims(upperCase(m))(m)],
  ["sub of another agent", withClaims({ sub: crypto.randomUUID() })],
  [
    "the claims of a credential",
    (m) => withClaims({ agent_id: undefined, typ: "agent-vc", aud: "a", jti: "j", challenge: "c" })(m),
  ],
];

export const CREDENTIAL_CLAIMS: readonly Row[] = [
  ["typ JWT in the payload", withClaims({ typ: "JWT" })],
  ["typ AGENT-VC in the payload", withClaims({ typ: "AGENT-VC" })],
  ["a list as typ in the payload", withClaims({ typ: ["agent-vc"] })],
  ["no typ in the payload", withClaims({ typ: undefined })],
  ["no aud", withClaims({ aud: undefined })],
  ["an empty aud", withClaims({ aud: "" })],
  ["aud null", withClaims({ aud: null })],
  ["aud as a number", withClaims({ aud: 1 })],
  ["audiences", (m) => withClaims({ aud: [m.claims.aud] })(m)],
  ["audiences of two", (m) => withClaims({ aud: [m.claims.aud, "https://other.test"] })(m)],
  ["no challenge", withClaims({ challenge: undefined })],
  ["an empty challenge", withClaims({ challenge: "" })],
  ["a challenge that is a number", withClaims({ challenge: 1 })],
  ["challenges", (m) => withClaims({ challenge: [m.claims.challenge] })(m)],
  ["no jti", withClaims({ jti: undefined })],
  ["an empty jti", withClaims({ jti: "" })],
  ["jti as a number", withClaims({ jti: 1 })],
  ["more than 24 hours", (m) => withClaims({ exp: Number(m.claims.iat) + 86_401 })(m)],
  ["a life until 2100", withClaims({ exp: 4_102_444_800 })],
  ["nbf in the past", withClaims({ nbf: 1 })],
  ["an email that is an object", withClaims({ email: {} })],
  ["a wallet_address that is a number", withClaims({ wallet_address: 1 })],
  ["a claim that we do not make", withClaims({ scope: "payments" })],
  ["the claims of a login JWT", (m) => signed(m.header, { ...loginClaims(m) }, m.key)],
  ["the claims of a login JWT in addition to its own", (m) => withClaims(loginClaims(m))(m)],
];

const loginClaims = ({ claims: { sub, iss, iat, exp } }: TokenParts): Part => ({ agent_id: sub, sub, iss, iat, exp });
const upperCase = (m: TokenParts): Part => ({
  agent_id: String(m.claims.sub).toUpperCase(),
  sub: String(m.claims.sub).toUpperCase(),
});
