import { z } from "zod";

/** The operator's settings for pages. All are optional. */

/** The placeholders of ONRAMP_URL. */
const PLACEHOLDERS = ["address", "amount", "network"] as const;

const onramp = z
  .url({ protocol: /^https$/, error: "must be an https URL" })
  .refine(
    (text) => !/[{}]/.test(PLACEHOLDERS.reduce((remainder, name) => remainder.replaceAll(`{${name}}`, ""), text)),
    `may contain only these placeholders: ${PLACEHOLDERS.map((name) => `{${name}}`).join(", ")}`,
  );

const MAIL = /^[^\s<>@:/?#]+@[^\s<>@:/?#]+$/;

/** An e-mail address or an https URL, as a URI. */
const contact = z
  .string()
  .max(200)
  .refine((text) => MAIL.test(text) || /^https:\/\/[^\s<>]+$/.test(text), "must be an e-mail address or an https URL")
  .transform((text) => (MAIL.test(text) ? `mailto:${text}` : text));

export const siteSettings = {
  /** Where buyers can buy USDC on Base. */
  ONRAMP_URL: onramp.optional(),
  /** Who runs the service, on /terms and /privacy. */
  OPERATOR_NAME: z
    .string()
    .max(100)
    .refine((text) => !/\p{Cc}/u.test(text), "must be one line")
    .optional(),
  OPERATOR_CONTACT: contact.optional(),
  /** For reports of vulnerabilities. */
  SECURITY_CONTACT: contact.optional(),
  /** A passkey wallet, which needs no browser extension. app/layout.tsx and ops/server read it too. */
  PASSKEY_WALLET: z.enum(["coinbase"], "must be coinbase, or empty").optional(),
};

const schema = z.object(siteSettings);

export type Site = {
  /** With placeholders; null: the checkout offers no place to buy USDC. */
  onrampUrl: string | null;
  /** Whether Coinbase's passkey wallet is offered. */
  isPasskeyOffered: boolean;
  operator: {
    /** Null: the pages name the host instead. */
    name: string | null;
    /** A mailto: or https: URI. */
    contact: string | null;
    /** A mailto: or https: URI; defaults to `contact`. */
    securityContact: string | null;
  };
};

export const siteOf = (settings: z.output<typeof schema>): Site => ({
  onrampUrl: settings.ONRAMP_URL ?? null,
  isPasskeyOffered: settings.PASSKEY_WALLET === "coinbase",
  operator: {
    name: settings.OPERATOR_NAME ?? null,
    contact: settings.OPERATOR_CONTACT ?? null,
    securityContact: settings.SECURITY_CONTACT ?? settings.OPERATOR_CONTACT ?? null,
  },
});
