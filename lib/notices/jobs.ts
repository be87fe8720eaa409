import { addSeconds } from "@/lib/core/time";
import type { System } from "@/lib/platform/context";
import { assertLease, type Lease } from "@/lib/platform/lease";
import { createMailer, type Mailer } from "@/lib/platform/mailer";
import type { Job } from "@/lib/platform/worker";
import { afterAttempt, type Outcome, outcomeOf } from "./rules";
import * as store from "./store";
import { unsubscribeToken } from "./tokens";

const AT_ONCE = 5;
/** Longer than an attempt can take. After it, an attempt without an end may have succeeded or not, and is repeated. */
const ATTEMPT_SECONDS_MAX = 120;
const PAUSE_MS = 2_000;
const ERROR_CHARACTERS_MAX = 300;

/** The job that sends the mails of the outbox; none without a mail server. */
export function mailJobs(system: System): Job[] {
  const mailer = createMailer(system.config.mail);
  if (!mailer) return [];
  const round = async (lease: Lease) => ((await sendSome(system, mailer, lease)) === AT_ONCE ? 0 : PAUSE_MS);
  return [{ name: "mails", round }];
}

/** Sends up to five due mails, and returns their number. */
export async function sendSome(system: System, mailer: Mailer, lease: Lease): Promise<number> {
  const begun = await system.db.transaction(async (tx) => {
    await assertLease(tx, lease);
    const at = system.now();
    return store.begin(tx, at, addSeconds(at, ATTEMPT_SECONDS_MAX), AT_ONCE);
  });
  await Promise.all(begun.map((mail) => send(system, mailer, mail)));
  return begun.length;
}

async function send(system: System, mailer: Mailer, mail: store.Mail): Promise<void> {
  const { id, email: to, subject, body: text, kind, attempts, ownerId } = mail;
  const { baseUrl } = system.config;
  const unsubscribe =
    kind === null
      ? null
      : `${baseUrl}/api/notices/unsubscribe?token=${encodeURIComponent(await unsubscribeToken(system, ownerId))}`;
  let outcome: Outcome = "sent";
  let lastError: string | null = null;
  try {
    await mailer({ id, to, subject, text, unsubscribe });
  } catch (thrown) {
    outcome = outcomeOf(Object(thrown).responseCode);
    lastError = String(thrown instanceof Error ? thrown.message : thrown).slice(0, ERROR_CHARACTERS_MAX);
    system.log.warn({ mailId: id, attempts, outcome, error: lastError }, "mail.failed");
  }
  const next = afterAttempt(outcome, attempts);
  const at = system.now();
  if ("seconds" in next) await store.end(system.db, mail, { nextAttemptAt: addSeconds(at, next.seconds), lastError });
  // A link in a mail that is over is not kept.
  else await store.end(system.db, mail, { state: next.state, endedAt: at, lastError, body: "" });
}
