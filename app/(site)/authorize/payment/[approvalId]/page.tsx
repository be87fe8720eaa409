import type { Metadata } from "next";
import { pageContext } from "@/lib/wiring";
import { AuthorizePage, type SearchParams, tokenOf } from "../../frame";
import { shownApproval } from "./shown";

export const metadata: Metadata = { title: "Approve a payment", robots: { index: false } };
export const dynamic = "force-dynamic";

type Props = { params: Promise<{ approvalId: string }>; searchParams: SearchParams };

/** One payment that an agent requests: sign in, link the agent, approve or reject. */
export default async function AuthorizePaymentPage({ params, searchParams }: Props) {
  const ctx = await pageContext();
  const state = await shownApproval(ctx, (await params).approvalId, await tokenOf(searchParams));
  return <AuthorizePage ctx={ctx} shown={state} />;
}
