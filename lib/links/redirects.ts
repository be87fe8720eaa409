import type { System } from "@/lib/platform/context";
import { linkErrors } from "./errors";
import { isRedirectOrigin, type Link, type RedirectRules, redirectTarget } from "./rules";

/** The link's redirect target, or null if the operator no longer allows it. */
export const redirectOf = (system: System, { redirectUrl }: Link): string | null =>
  redirectUrl === null ? null : redirectTarget(redirectUrl, redirectRules(system));

/** The same for people who do not pay. */
export const cancelTargetOf = (system: System, { cancelUrl }: Link): string | null =>
  cancelUrl === null ? null : redirectTarget(cancelUrl, redirectRules(system));

/** Origins of other sites that links may redirect to. */
export const redirectOrigins = ({ config }: System): string[] =>
  [...new Set(config.redirectOrigins)].filter(isRedirectOrigin);

const redirectRules = ({ config }: System): RedirectRules => ({
  allowed: config.redirectOrigins,
  own: new URL(config.baseUrl).origin,
});

/** Throws REDIRECT_ORIGIN_NOT_ALLOWED. */
export function allowedTarget(system: System, text: string | null): string | null {
  if (text === null) return null;
  const target = redirectTarget(text, redirectRules(system));
  if (target === null) throw linkErrors.REDIRECT_ORIGIN_NOT_ALLOWED();
  return target;
}
