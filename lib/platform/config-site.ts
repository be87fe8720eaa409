import { z } from "zod";

/** What the operator of a service says on its pages. Everything is optional. */

/** The placeholders of ONRAMP_URL. */
const PLACEHOLDERS = ["address", "amount", "network"] as const;

const onramp = z
  .url({ protocol: /^https$/, error: "must be an https URL" })
  .refine(
    (text) => !/[{}]/.test(PLACEHOLDERS.reduce((rest, name) => rest.replaceAll(`{${name}}`, ""), text)),
    `may contain only these placeholders: ${PLACEHOLDERS.map((name) => `{${name}}`).join(", ")}`,
  );

export const siteSettings = {
  /** Where buyers can buy USDC on Base. */
  ONRAMP_URL: onramp.optional(),
  /** A wallet without an extension. app/layout.tsx and ops/server read it too. */
  PASSKEY_WALLET: z.enum(["coinbase"], "must be coinbase, or empty").optional(),
};

const schema = z.object(siteSettings);

export type Site = {
  /** With placeholders; null: the checkout names no place to buy USDC. */
  onrampUrl: string | null;
};

export const siteOf = (settings: z.output<typeof schema>): Site => ({
  onrampUrl: settings.ONRAMP_URL ?? null,
});
