import { Resolver } from "node:dns/promises";
import type { System } from "@/lib/platform/context";
import { createSend } from "@/lib/platform/outbound";
import { isInFile, isInRecords, PROOF_PATH } from "./rules";

const LOOK_MS_MAX = 5_000;
const FILE_BYTES_MAX = 4_096;

/** Whether the proof of a domain was found; if not, why. */
export type Found = { isShown: true } | { isShown: false; reason: string };

/** Looks for the token in the file and in DNS. Never throws. */
export async function lookFor(system: System, { origin, token }: { origin: string; token: string }): Promise<Found> {
  const [file, records] = await Promise.all([inFile(system, origin, token), inDns(new URL(origin).hostname, token)]);
  if (file === null || records === null) return { isShown: true };
  return { isShown: false, reason: `${records}; ${file}` };
}

/** Null if the file shows the token. Uses the outbound guard, because the host is not trusted. */
async function inFile({ config }: System, origin: string, token: string): Promise<string | null> {
  const send = createSend({
    allowsLoopback: config.mode === "devnet",
    totalMsMax: LOOK_MS_MAX,
    replyBytesMax: FILE_BYTES_MAX,
  });
  const headers = { accept: "text/plain", "user-agent": "Tessera" };
  const reply = await send(new URL(PROOF_PATH, origin), { method: "GET", headers });
  if (!reply.isAnswered) return "the file could not be requested";
  if (reply.status !== 200) return `the request for the file was answered ${reply.status}`;
  return isInFile(reply.bytes.toString("utf8"), token) ? null : "the file does not contain the token";
}

/** Null if a TXT record shows the token. */
export async function inDns(
  host: string,
  token: string,
  resolver: Pick<Resolver, "resolveTxt" | "cancel"> = new Resolver({ timeout: LOOK_MS_MAX / 2, tries: 1 }),
): Promise<string | null> {
  if (host === "localhost") return "localhost has no DNS records";
  const limit = setTimeout(() => resolver.cancel(), LOOK_MS_MAX);
  try {
    return isInRecords(await resolver.resolveTxt(host), token) ? null : "no TXT record contains the token";
  } catch {
    // No such name, no such record, or no name server: the proof is not there now.
    return "no TXT record was found";
  } finally {
    clearTimeout(limit);
  }
}
