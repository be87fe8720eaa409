import { createTransport } from "nodemailer";
import type { MailConfig } from "./config";

export type OutgoingMail = {
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
  const transport = createTransport(config.url, {
    connectionTimeout: CONNECT_MS_MAX,
    greetingTimeout: CONNECT_MS_MAX,
    socketTimeout: SILENCE_MS_MAX,
    // A text is never read as a file name or URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  } as object);
  return async ({ id, to, subject, text, unsubscribe }) => {
    await transport.sendMail({
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
