import { createPublicKey, type KeyObject } from "node:crypto";
import { z } from "zod";

/** A list of addresses that the operator does not pay. */
export type ScreeningSource = {
  name: string;
  /** A file's path, or a URL. */
  source: string;
};

export type ScreeningConfig = {
  lists: readonly ScreeningSource[];
  reloadSeconds: number;
  /** If set, each list needs a valid signature beside it. */
  key: KeyObject | null;
};

const LIST = /^([a-z0-9][a-z0-9-]{0,39})=((?:https?:\/\/|\/)\S{1,1000})$/;
const LISTS_MAX = 10;

const sourceList = z.string().transform((text, issue) => {
  const entries = text.split(",").map((part) => LIST.exec(part.trim()));
  const lists = entries.flatMap((entry) => (entry ? [{ name: entry[1] ?? "", source: entry[2] ?? "" }] : []));
  // Errors call an owner's own lists "yours".
  const names = new Set(lists.map(({ name }) => name).filter((name) => name !== "yours"));
  if (lists.length < entries.length || names.size < entries.length || entries.length > LISTS_MAX)
    issue.addIssue(
      `must be up to ${LISTS_MAX} different name=source, comma-separated, for example ofac=/etc/tessera/sdn.csv: a name in lower case (not "yours"), and a path or an http(s) URL`,
    );
  return lists;
});

/** An Ed25519 public key: the base64 of its 32 bytes. */
const publicKey = z
  .string()
  .regex(/^[A-Za-z0-9+/]{43}=$/, "must be the base64 of an Ed25519 public key (32 bytes)")
  .transform((text) => {
    const x = Buffer.from(text, "base64").toString("base64url");
    return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  });

/** Whom the service does not pay. */
export const SCREENING_VARIABLES = {
  SCREENING_LISTS: sourceList.optional(),
  SCREENING_RELOAD_SECONDS: z.coerce.number().int().min(5).max(86_400).default(900),
  SCREENING_KEY: publicKey.optional(),
};

export const screeningOf = (e: {
  SCREENING_LISTS?: ScreeningSource[] | undefined;
  SCREENING_RELOAD_SECONDS: number;
  SCREENING_KEY?: KeyObject | undefined;
}): ScreeningConfig => ({
  lists: e.SCREENING_LISTS ?? [],
  reloadSeconds: e.SCREENING_RELOAD_SECONDS,
  key: e.SCREENING_KEY ?? null,
});
