import type { Transporter } from "nodemailer";
import type { MailConfig } from "@/lib/platform/config";
import type { System } from "@/lib/platform/context";
import type { Lease } from "@/lib/platform/lease";
import type { Job } from "@/lib/platform/worker";
import * as outbox from "./outbox";
import type { OutboxRow } from "./outbox-store";
import { outcomeOf } from "./rules";
import { unsubscribeToken } from "./tokens";

type OutgoingMail = {
  id: string;
  to: string;
  subject: string;
  text: string;
  /** The URL for unsubscribing with one request (RFC 8058). */
  unsubscribe: string | null;
};

/** Resolves when the mail server accepts the mail; rejects with its reply code as `responseCode`, if it sent one. */
export type Mailer = (mail: OutgoingMail) => Promise<void>;

const CONNECT_MS_MAX = 10_000;
const SILENCE_MS_MAX = 30_000;

/** Sends through the server of SMTP_URL; null without one. */
export function createMailer(config: MailConfig | null): Mailer | null {
  if (!config) return null;
  let transport: Promise<Transporter> | undefined;
  return async ({ id, to, subject, text, unsubscribe }) => {
    transport ??= openTransport(config.url);
    await (await transport).sendMail({
      from: config.from,
      // An object, so that the address is not parsed as a list.
      to: { name: "", address: to },
      subject,
      text,
      messageId: `<${id}@${config.from.replace(/^.*@|>.*$/g, "")}>`,
      headers: {
        "Auto-Submitted": "auto-generated",
        ...(unsubscribe !== null && {
          "List-Unsubscribe": `<${unsubscribe}>`,
          "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        }),
      },
    });
  };
}

/** Loads the library for the first mail only: it is a twentieth of a server's start. */
async function openTransport(url: string): Promise<Transporter> {
  const { createTransport } = await import("nodemailer");
  return createTransport(url, {
    connectionTimeout: CONNECT_MS_MAX,
    greetingTimeout: CONNECT_MS_MAX,
    socketTimeout: SILENCE_MS_MAX,
    // A text is never read as a file name or URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  } as object);
}

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
