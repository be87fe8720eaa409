import { constants, createHmac, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { b64, type Part, signed, signedText, stranger, type TokenParts, withClaims, withHeader } from "./parts";
import { now, type Row, textOf } from "./row";

const publicKey = (m: TokenParts) => createPublicKey(m.key);
const segments = (m: TokenParts) => m.token.split(".") as [header: string, claims: string, signature: string];

/** A token under `alg` whose signature is `make`'s. */
const underAlg =
  (alg: string, make: (text: string, m: TokenParts) => Buffer) =>
  (m: TokenParts): string => {
    const text = `${b64({ ...m.header, alg })}.${b64(m.claims)}`;
    return `${text}.${make(text, m).toString("base64url")}`;
  };

const hs256 = (secret: (key: KeyObject) => string | Buffer) =>
  underAlg("HS256", (text, m) =>
    createHmac("sha256", secret(publicKey(m)))
      .update(text)
      .digest(),
  );

const byStranger =
  (change: (m: TokenParts) => Part) =>
  (m: TokenParts): string =>
    signed({ ...m.header, ...change(m) }, m.claims, stranger.privateKey);

const curve = generateKeyPairSync("ec", { namedCurve: "P-256" });
const edwards = generateKeyPairSync("ed25519");
const strangersJwk = stranger.publicKey.export({ format: "jwk" });

const ALGORITHMS: readonly Row[] = [
  ["alg none without a signature", (m) => `${b64({ ...m.header, alg: "none" })}.${b64(m.claims)}.`],
  ["alg none with a signature", withHeader({ alg: "none" })],
  ["alg None", withHeader({ alg: "None" })],
  ["alg nOnE", withHeader({ alg: "nOnE" })],
  ["alg in lower case", withHeader({ alg: "rs256" })],
  ["alg as a list", withHeader({ alg: ["RS256"] })],
  ["alg null", withHeader({ alg: null })],
  ["no alg", withHeader({ alg: undefined })],
  ["HS256 keyed with our PEM", hs256((key) => key.export({ type: "spki", format: "pem" }))],
  ["HS256 keyed with our PEM of PKCS 1", hs256((key) => key.export({ type: "pkcs1", format: "pem" }))],
  ["HS256 keyed with our DER", hs256((key) => key.export({ type: "spki", format: "der" }))],
  ["HS256 keyed with our modulus", hs256((key) => Buffer.from(key.export({ format: "jwk" }).n ?? "", "base64url"))],
  ["HS256 keyed with our modulus as text", hs256((key) => key.export({ format: "jwk" }).n ?? "")],
  ["HS256 keyed with nothing", hs256(() => "")],
  [
    "ES256 by a stranger",
    underAlg("ES256", (text) =>
      sign("sha256", Buffer.from(text), { key: curve.privateKey, dsaEncoding: "ieee-p1363" }),
    ),
  ],
  ["EdDSA by a stranger", underAlg("EdDSA", (text) => sign(null, Buffer.from(text), edwards.privateKey))],
  [
    "PS256 by our key",
    underAlg("PS256", (text, m) =>
      sign("sha256", Buffer.from(text), { key: m.key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }),
    ),
  ],
  ["RS384 by our key", underAlg("RS384", (text, m) => sign("sha384", Buffer.from(text), m.key))],
  ["RS512 by our key", underAlg("RS512", (text, m) => sign("sha512", Buffer.from(text), m.key))],
  ["SHA-1 by our key called RS256", underAlg("RS256", (text, m) => sign("sha1", Buffer.from(text), m.key))],
];

const KEYS: readonly Row[] = [
  ["a stranger's signature under our kid", byStranger(() => ({}))],
  ["a stranger's key in jwk", byStranger(() => ({ jwk: strangersJwk }))],
  ["a stranger's key in jwk, without a kid", byStranger(() => ({ kid: undefined, jwk: strangersJwk }))],
  ["a stranger's key in jku", byStranger(() => ({ kid: "x", jku: "https://evil.test/jwks.json" }))],
  ["a stranger's key in x5u", byStranger(() => ({ x5u: "https://evil.test/x.pem" }))],
  [
    "a stranger's key in x5c",
    byStranger(() => ({ x5c: [stranger.publicKey.export({ type: "spki", format: "der" }).toString("base64")] })),
  ],
  ["an unknown kid", withHeader({ kid: "unknown" })],
  ["a kid that is a path", withHeader({ kid: "../../../../dev/null" })],
  ["a kid that is SQL", withHeader({ kid: "' or 1=1 --" })],
  ["a kid that every object has", withHeader({ kid: "constructor" })],
  ["a kid of NUL", withHeader({ kid: "\0" })],
  ["a kid with NUL behind", (m) => withHeader({ kid: `${m.kid}\0` })(m)],
  ["a kid with a blank behind", (m) => withHeader({ kid: `${m.kid} ` })(m)],
  ["a kid in upper case", (m) => withHeader({ kid: m.kid.toUpperCase() })(m)],
  ["a kid that is a list", (m) => withHeader({ kid: [m.kid] })(m)],
  ["a kid that is an object", (m) => withHeader({ kid: { kid: m.kid } })(m)],
  ["a kid that is a number", withHeader({ kid: 0 })],
  ["a kid that is null", withHeader({ kid: null })],
  ["an empty kid", withHeader({ kid: "" })],
  ["an endless kid", withHeader({ kid: "k".repeat(129) })],
  ["no kid", withHeader({ kid: undefined })],
  ["a key that we dropped", (m) => signed({ ...m.header, kid: m.dropped.kid }, m.claims, m.dropped.key)],
  ["a key that we dropped, under the kid of another", (m) => signed(m.header, m.claims, m.dropped.key)],
];

const HEADERS: readonly Row[] = [
  ["crit for a claim", withHeader({ crit: ["exp"] })],
  ["crit for a header we know", withHeader({ crit: ["typ"] })],
  ["crit of nothing", withHeader({ crit: [] })],
  ["crit as text", withHeader({ crit: "exp" })],
  ["crit null", withHeader({ crit: null })],
  ["b64 false and critical", withHeader({ b64: false, crit: ["b64"] })],
  ["b64 true and critical", withHeader({ b64: true, crit: ["b64"] })],
  ["b64 false", withHeader({ b64: false })],
  ["a payload that is not encoded", (m) => signedText(b64({ ...m.header, b64: false }), textOf(m.claims), m.key)],
  ["alg twice", (m) => signed(textOf(m.header).replace("{", '{"alg":"none",'), m.claims, m.key)],
  ["alg twice, once escaped", (m) => signed(textOf(m.header).replace("{", '{"\\u0061lg":"none",'), m.claims, m.key)],
  ["typ twice", (m) => signed(textOf(m.header).replace("{", '{"typ":"x",'), m.claims, m.key)],
  ["typ twice, once escaped", (m) => signed(textOf(m.header).replace("{", '{"t\\u0079p":"x",'), m.claims, m.key)],
  ["kid twice", (m) => signed(textOf(m.header).replace("{", '{"kid":"x",'), m.claims, m.key)],
  ["__proto__ in the header", (m) => signed(textOf(m.header).replace("{", '{"__proto__":{},'), m.claims, m.key)],
  ["a BOM before the header", (m) => signed(`\ufeff${textOf(m.header)}`, m.claims, m.key)],
  [
    "a header that is not UTF-8",
    (m) => signed(Buffer.from(textOf({ ...m.header, x: "\xff" }), "latin1"), m.claims, m.key),
  ],
  ["a header that is a list", (m) => signed([m.header], m.claims, m.key)],
  ["a header that is null", (m) => signed("null", m.claims, m.key)],
  ["a header that is no JSON", (m) => signed("header", m.claims, m.key)],
  ["a header with more behind", (m) => signed(`${textOf(m.header)}{}`, m.claims, m.key)],
  ["a header of 2 KB", withHeader({ pad: "x".repeat(2000) })],
  ["a good token inside", (m) => signed({ ...m.header, typ: undefined, cty: m.header.typ }, m.token, m.key)],
];

/** None of them is exactly `JWT` or exactly `agent-vc`. */
const TYPES: readonly Row[] = [
  "AGENT-VC",
  "Agent-VC",
  "application/agent-vc",
  "agent-vc+jwt",
  "vc+jwt",
  "agent-vc; v=1",
  " agent-vc",
  "agent-vc ",
  "agent-vc\0",
  "agent_vc",
  "\u0430gent-vc",
  "agent\u2011vc",
  "\uff21gent-vc",
  "agent-vc\u200b",
  ["agent-vc"],
  { typ: "agent-vc" },
  "jwt",
  "Jwt",
  "JWT ",
  "application/jwt",
  "application/JWT",
  "at+jwt",
  "\uff2a\uff37\uff34",
  ["JWT"],
  "JOSE",
  "",
  0,
  true,
  null,
  undefined,
].map((typ): Row => [`typ ${typ === undefined ? "left out" : JSON.stringify(typ)}`, withHeader({ typ })]);

const SPELLINGS: readonly Row[] = [
  ["a second spelling of the signature", (m) => secondSpelling(m.token)],
  ["a second spelling of the header", (m) => signedText(secondSpelling(loose(m.header)), b64(m.claims), m.key)],
  ["a second spelling of the payload", (m) => signedText(b64(m.header), secondSpelling(loose(m.claims)), m.key)],
  ["a character too many in the header", (m) => signedText(`${full(m.header)}A`, b64(m.claims), m.key)],
  ["a character too many in the payload", (m) => signedText(b64(m.header), `${full(m.claims)}A`, m.key)],
  ["padding behind the signature", (m) => `${m.token}==`],
  ["padding behind the header", (m) => signedText(`${loose(m.header)}==`, b64(m.claims), m.key)],
  ["padding behind the payload", (m) => signedText(b64(m.header), `${loose(m.claims)}==`, m.key)],
  ["the other alphabet in the signature", (m) => otherAlphabet(m.token)],
  ["the other alphabet in the header", (m) => signedText(otherAlphabet(b64(odd(m.header))), b64(m.claims), m.key)],
  ["the other alphabet in the payload", (m) => signedText(b64(m.header), otherAlphabet(b64(odd(m.claims))), m.key)],
  ["a blank before", (m) => ` ${m.token}`],
  ["a blank behind", (m) => `${m.token} `],
  ["a line end behind", (m) => `${m.token}\n`],
  ["CR LF behind", (m) => `${m.token}\r\n`],
  ["NUL behind", (m) => `${m.token}\0`],
  ["a blank inside", (m) => segments(m).join(". ")],
  ["a tab inside", (m) => segments(m).join("\t.")],
  ["a line end inside", (m) => segments(m).join(".\n")],
  ["a line end in the signature", (m) => m.token.replace(/.{40}$/, "\n$&")],
  ["dots that are none", (m) => segments(m).join("\uff0e")],
  ["dots in percent signs", (m) => segments(m).join("%2E")],
  ["quotation marks around", (m) => `"${m.token}"`],
  ["its scheme before", (m) => `Bearer ${m.token}`],
  ["a byte order mark before", (m) => `\ufeff${m.token}`],
  ["bytes behind the signature", (m) => `${m.token}AAAA`],
  ["a signature with a zero byte before", (m) => withSignature(m, (bytes) => Buffer.concat([Buffer.alloc(1), bytes]))],
  ["a signature of zeros", (m) => withSignature(m, (bytes) => Buffer.alloc(bytes.length))],
  [
    "a signature with one bit changed",
    (m) => withSignature(m, (bytes) => Buffer.from(bytes.map((b, index) => (index === 9 ? b ^ 1 : b)))),
  ],
  ["a signature that is short by a byte", (m) => withSignature(m, (bytes) => bytes.subarray(1))],
  ["half a signature", (m) => m.token.slice(0, -171)],
  ["the signature of another", (m) => `${m.token.replace(/[^.]+$/, "")}${m.other.split(".")[2]}`],
  ["a changed claim", (m) => m.token.replace(/\.[^.]+\./, `.${b64({ ...m.claims, exp: now() + 9000 })}.`)],
];

const SEGMENTS: readonly Row[] = [
  ["nothing", () => ""],
  ["a dot", () => "."],
  ["two dots", () => ".."],
  ["the header alone", (m) => segments(m)[0]],
  ["the header and a dot", (m) => `${segments(m)[0]}.`],
  ["two segments", (m) => segments(m).slice(0, 2).join(".")],
  ["no signature", (m) => `${segments(m).slice(0, 2).join(".")}.`],
  ["no header", (m) => `.${segments(m).slice(1).join(".")}`],
  ["a detached payload", (m) => `${segments(m)[0]}..${segments(m)[2]}`],
  ["an empty payload, signed", (m) => signedText(b64(m.header), "", m.key)],
  ["a dot behind", (m) => `${m.token}.`],
  ["a dot before", (m) => `.${m.token}`],
  ["four segments", (m) => `${m.token}.e30`],
  ["five segments", (m) => `${m.token}.e30.e30`],
  ["itself behind", (m) => `${m.token}.${m.token}`],
  [
    "a JWE",
    (m) => [b64({ ...m.header, alg: "RSA-OAEP", enc: "A256GCM" }), "AAAA", "AAAA", b64(m.claims), "AAAA"].join("."),
  ],
  [
    "a JWE whose key is known",
    (m) => [b64({ ...m.header, alg: "dir", enc: "A256GCM" }), "", "AAAA", b64(m.claims), "AAAA"].join("."),
  ],
  ["a flattened JWS in JSON", (m) => textOf(flattened(m))],
  ["a general JWS in JSON", (m) => textOf({ payload: segments(m)[1], signatures: [flattened(m)] })],
  ["64 KB without a valid signature", (m) => `${segments(m)[0]}.${"A".repeat(64_000)}.${segments(m)[2]}`],
  ["96 KB of payload that we signed", withClaims({ email: "x".repeat(72_000) })],
  ["text", () => "garbage"],
  ["the word undefined", () => "undefined"],
  ["a permanent token", () => `tok_${"A".repeat(24)}`],
];

/** Wrong whatever the token is for: the header, the form or the signature. */
export const FORMS: readonly Row[] = [...ALGORITHMS, ...KEYS, ...HEADERS, ...TYPES, ...SPELLINGS, ...SEGMENTS];

const flattened = (m: TokenParts) => ({
  protected: segments(m)[0],
  payload: segments(m)[1],
  signature: segments(m)[2],
});

const withSignature = (m: TokenParts, change: (bytes: Buffer) => Buffer): string => {
  const [header, claims, signature] = segments(m);
  return `${header}.${claims}.${change(Buffer.from(signature, "base64url")).toString("base64url")}`;
};

/** JSON whose base64url ends with a character of which only two bits count. */
const loose = (part: Part): string => b64(`${textOf(part)}${" ".repeat((4 - (textOf(part).length % 3)) % 3)}`);
/** JSON whose base64url has no bit to spare. */
const full = (part: Part): string => b64(`${textOf(part)}${" ".repeat((3 - (textOf(part).length % 3)) % 3)}`);
/** With text whose base64 differs between the alphabets. */
const odd = (part: Part): Part => ({ ...part, email: "~~~???>>>" });

const otherAlphabet = (text: string): string => text.replaceAll("-", "+").replaceAll("_", "/");

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** The same bytes with one of the unused last bits set. */
const secondSpelling = (text: string): string =>
  `${text.slice(0, -1)}${ALPHABET[ALPHABET.indexOf(text.at(-1) ?? "") + 1]}`;
