import { notFound } from "next/navigation";
import { cache } from "react";
import { orNotFound } from "@/lib/http/found";
import { payLink, toCheckoutView } from "@/lib/links/checkout/contract";
import * as checkouts from "@/lib/links/checkout/service";
import { targetsOf } from "@/lib/links/redirects";
import * as links from "@/lib/links/service";
import { toProfileView } from "@/lib/sellers/profile/contract";
import { profileOf } from "@/lib/sellers/profile/service";
import { pageContext } from "@/lib/wiring";

/** A link as its checkout shows it. Once a request, for the page and for what previews show. */
export const readCheckout = cache(async (linkId: string) => {
  const ctx = await pageContext();
  const parsed = payLink.params?.safeParse({ linkId });
  if (!parsed?.success) notFound();
  const checkout = await orNotFound(checkouts.checkout(ctx, parsed.data.linkId));
  const { link, payee } = checkout;
  const view = toCheckoutView(checkout, {
    url: links.linkUrl(ctx, link.linkId),
    ...(await targetsOf(ctx, link)),
    now: ctx.now(),
  });
  const profile = payee && toProfileView(await profileOf(ctx, payee.ownerId), ctx.config.baseUrl);
  const requirement =
    payee && checkouts.requirementOf(ctx, checkouts.toOffered(link), payee.address, checkouts.exampleOf(link));
  return { ctx, view, profile, requirement, config: ctx.config };
});

type Query = Record<string, string | string[] | undefined>;

/**
 * The parameters that were given once. Next takes what every object has for an earlier value: `?constructor=a` is a list of a function
 * and "a", so only the texts count.
 */
export const textsOf = (query: Query): Record<string, string> =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => {
      const [text, ...duplicates] = [value].flat().filter((candidate) => typeof candidate === "string");
      return text === undefined || duplicates.length > 0 ? [] : [[name, text] as const];
    }),
  );
