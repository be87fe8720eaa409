import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";

/** Encrypts secrets at rest. A KMS could implement this type: the master key only ever processes 32-byte data keys. */
export type SecretVault = {
  /** Encrypts `secret` and binds it to `rowId`: a sealed value copied to another row does not open. */
  seal: (secret: string, rowId: string) => string;
  /** Throws when the value was tampered with, belongs to another row, or no master key opens it. */
  open: (sealed: string, rowId: string) => string;
  /** Reseals the secret under the newest master key; null if it already is sealed under it. */
  rewrap: (sealed: string, rowId: string) => string | null;
};

const ALGORITHM = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM envelopes: one data key per secret, wrapped by the first of `masterKeys`; the others can still open. */
export function createVault(masterKeys: [Buffer, ...Buffer[]]): SecretVault {
  const byName = new Map(masterKeys.map((key) => [nameOf(key), key]));
  const newest = masterKeys[0];

  const unwrap = (sealed: string, rowId: string) => {
    const [version, name = "", wrapped = "", body = ""] = sealed.split(".");
    const master = byName.get(name);
    if (version !== "v1" || !master) throw new Error(`no master key opens ${rowId}`);
    return { name, body, dataKey: decrypt(master, wrapped, `key:${rowId}`) };
  };

  const wrap = (dataKey: Buffer, body: string, rowId: string) =>
    `v1.${nameOf(newest)}.${encrypt(newest, dataKey, `key:${rowId}`)}.${body}`;

  return {
    seal: (secret, rowId) => {
      const dataKey = randomBytes(32);
      return wrap(dataKey, encrypt(dataKey, Buffer.from(secret, "utf8"), rowId), rowId);
    },
    open: (sealed, rowId) => {
      const { dataKey, body } = unwrap(sealed, rowId);
      return decrypt(dataKey, body, rowId).toString("utf8");
    },
    rewrap: (sealed, rowId) => {
      const { name, dataKey, body } = unwrap(sealed, rowId);
      return name === nameOf(newest) ? null : wrap(dataKey, body, rowId);
    },
  };
}

/** A master key's public name. It identifies the key and reveals nothing about its value. */
const nameOf = (key: Buffer) =>
  createHash("sha256").update("tessera master key").update(key).digest("hex").slice(0, 16);

function encrypt(key: Buffer, plain: Buffer, aad: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, iv).setAAD(Buffer.from(aad));
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString("base64url");
}

function decrypt(key: Buffer, text: string, aad: string): Buffer {
  const bytes = Buffer.from(text, "base64url");
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(aad)).setAuthTag(bytes.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
}
