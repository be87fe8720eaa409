import { parseUrl } from "@tessera/x402/url";

/** Where a support contact leads: a mailto: or https: URL; null if the text is neither an e-mail address nor an https URL. */
export function supportHref(text: string): string | null {
  if (/^[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z]{2,63}$/.test(text)) return `mailto:${text}`;
  const url = /^https:\/\/[^\s\\@]+$/i.test(text) ? parseUrl(text) : null;
  return !url || url.username || url.password ? null : url.href;
}
