import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { decodeJwt, decodeProtectedHeader } from "jose";
import type { openSystem } from "../system";

export type Part = Record<string, unknown>;
export type Signer = { kid: string; key: KeyObject };

/** A valid token in parts, with the real private key, to forge any other token from it. */
export type TokenParts = Signer & {
  token: string;
  header: Part;
  claims: Part;
  /** Another valid token of the same kind. */
  other: string;
  /** A former key of the service that is no longer in its key ring. */
  dropped: Signer;
};

export async function partsOf(
  testSystem: ReturnType<typeof openSystem>,
  token: string,
  other: string,
  dropped: Signer,
): Promise<TokenParts> {
  const header = decodeProtectedHeader(token);
  return { ...(await signerOf(testSystem, token)), token, header, claims: decodeJwt(token), other, dropped };
}

/** The private key that signed `token`. */
export async function signerOf({ sql, system }: ReturnType<typeof openSystem>, token: string): Promise<Signer> {
  const { kid = "" } = decodeProtectedHeader(token);
  const [row] = await sql`select sealed_key from signing_keys where kid = ${kid}`;
  return { kid, key: createPrivateKey({ key: JSON.parse(system.vault.open(row?.sealed_key, kid)), format: "jwk" }) };
}

/** Signs with RS256. Strings and bytes are signed unchanged, everything else as JSON. */
export const signed = (header: unknown, claims: unknown, key: KeyObject): string =>
  signedText(b64(header), b64(claims), key);

/** Signs parts that are in base64url already, or only look like it. */
export function signedText(header: string, claims: string, key: KeyObject): string {
  const text = `${header}.${claims}`;
  return `${text}.${sign("sha256", Buffer.from(text), key).toString("base64url")}`;
}

export const withHeader =
  (change: Part) =>
  (m: TokenParts): string =>
    signed({ ...m.header, ...change }, m.claims, m.key);

export const withClaims =
  (change: Part) =>
  (m: TokenParts): string =>
    signed(m.header, { ...m.claims, ...change }, m.key);

export const b64 = (value: unknown): string => bytesOf(value).toString("base64url");

function bytesOf(value: unknown): Buffer {
  if (Buffer.isBuffer(value)) return value;
  return Buffer.from(typeof value === "string" ? value : JSON.stringify(value));
}

export const stranger = generateKeyPairSync("rsa", { modulusLength: 2048 });
