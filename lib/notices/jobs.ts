import type { System } from "@/lib/platform/context";
import type { Lease } from "@/lib/platform/lease";
import { createMailer, type Mailer } from "@/lib/platform/mailer";
import type { Job } from "@/lib/platform/worker";
import * as outbox from "./outbox";
import type { OutboxRow } from "./outbox-store";
import { outcomeOf } from "./rules";
import { unsubscribeToken } from "./tokens";

const AT_ONCE = 5;
const PAUSE_MS = 2_000;

/** The job that sends queued mails; none without a mail server. */
export function mailJobs(system: System): Job[] {
  const mailer = createMailer(system.config.mail);
  if (!mailer) return [];
  return [
    {
      name: "mails",
      round: async (lease) => ((await sendSome(system, mailer, lease)) === AT_ONCE ? 0 : PAUSE_MS),
    },
  ];
}

/** Sends up to five due mails; returns their number. */
export const sendSome = (system: System, mailer: Mailer, lease: Lease): Promise<number> =>
  outbox.sendSome(system, "mails", lease, AT_ONCE, (mail) => attempt(system, mailer, mail));

async function attempt(system: System, mailer: Mailer, mail: OutboxRow<"mails">): Promise<outbox.AttemptResult> {
  const { id, email: to, subject, body: text, kind, ownerId } = mail;
  const { baseUrl } = system.config;
  const unsubscribe =
    kind === null
      ? null
      : `${baseUrl}/api/notices/unsubscribe?token=${encodeURIComponent(await unsubscribeToken(system, ownerId))}`;
  try {
    await mailer({ id, to, subject, text, unsubscribe });
    return { outcome: "sent", error: null };
  } catch (error) {
    return { outcome: outcomeOf(Object(error).responseCode), error: outbox.reasonOf(error) };
  }
}
