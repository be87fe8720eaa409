import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { decodeJwt, decodeProtectedHeader } from "jose";
import type { openSystem } from "./system";

export type Part = Record<string, unknown>;
export type Signer = { kid: string; key: KeyObject };

/** A good token taken apart, with everything an insider who has the real private key needs to make any other of it. */
export type Forge = Signer & {
  token: string;
  header: Part;
  claims: Part;
  /** Another good token of the same kind. */
  other: string;
  /** A key that was ours and is in the ring no more. */
  dropped: Signer;
};

export async function forgeOf(
  opened: ReturnType<typeof openSystem>,
  token: string,
  other: string,
  dropped: Signer,
): Promise<Forge> {
  const header = decodeProtectedHeader(token);
  return { ...(await signerOf(opened, token)), token, header, claims: decodeJwt(token), other, dropped };
}

/** The private key that signed `token`. */
export async function signerOf({ sql, system }: ReturnType<typeof openSystem>, token: string): Promise<Signer> {
  const { kid = "" } = decodeProtectedHeader(token);
  const [row] = await sql`select sealed_key from signing_keys where kid = ${kid}`;
  return { kid, key: createPrivateKey({ key: JSON.parse(system.vault.open(row?.sealed_key, kid)), format: "jwk" }) };
}

/** Signs with RS256; text and bytes are taken as they are, everything else as JSON. */
export const signed = (header: unknown, claims: unknown, key: KeyObject): string =>
  signedText(b64(header), b64(claims), key);

/** Signs what is already in base64url, or only looks like it. */
export function signedText(header: string, claims: string, key: KeyObject): string {
  const text = `${header}.${claims}`;
  return `${text}.${sign("sha256", Buffer.from(text), key).toString("base64url")}`;
}

export const withHeader =
  (change: Part) =>
  (m: Forge): string =>
    signed({ ...m.header, ...change }, m.claims, m.key);

export const withClaims =
  (change: Part) =>
  (m: Forge): string =>
    signed(m.header, { ...m.claims, ...change }, m.key);

export const b64 = (value: unknown): string => bytesOf(value).toString("base64url");

function bytesOf(value: unknown): Buffer {
  if (Buffer.isBuffer(value)) return value;
  return Buffer.from(typeof value === "string" ? value : JSON.stringify(value));
}

export const stranger = generateKeyPairSync("rsa", { modulusLength: 2048 });
