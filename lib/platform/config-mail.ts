import { z } from "zod";

const SENDER = /^(?:[^<>\r\n]{1,100} <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/;

/** The mail server, and the sender. Both or neither. */
export const MAIL_VARIABLES = {
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: "must be smtp:// or smtps://, with a host" }).optional(),
  MAIL_FROM: z.string().regex(SENDER, "must be an address, or a name and <address>").optional(),
};

export type MailConfig = { url: string; from: string };

/** Null without a mail server. */
export const mailOf = ({
  SMTP_URL: url,
  MAIL_FROM: from,
}: {
  SMTP_URL?: string | undefined;
  MAIL_FROM?: string | undefined;
}): MailConfig | null => (url !== undefined && from !== undefined ? { url, from } : null);
