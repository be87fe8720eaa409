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

/** The checkout view of a link. Cached per request, for the page and its preview metadata. */
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
    payee && !link.upstream
      ? checkouts.requirementOf(ctx, checkouts.toOffered(link), payee.address, checkouts.exampleOf(link))
      : null;
  return { ctx, view, profile, requirement, config: ctx.config };
});

type Query = Record<string, string | string[] | undefined>;

/**
 * The query parameters that occur once. Next appends to inherited properties of its query object: `?constructor=a` becomes a list of a
 * function and "a". Only strings are kept.
 */
export const textsOf = (query: Query): Record<string, string> =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => {
      const [text, ...duplicates] = [value].flat().filter((candidate) => typeof candidate === "string");
      return text === undefined || duplicates.length > 0 ? [] : [[name, text] as const];
    }),
  );
