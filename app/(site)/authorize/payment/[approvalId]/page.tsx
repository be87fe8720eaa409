import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { Asker, LinkStage, OverStage, ReviewStage, SignInStage, SignStage } from "@/components/approvals/stages";
import { Elsewhere, Incomplete } from "@/components/authorize/stages";
import { Stage } from "@/components/mandates/stage";
import { PublicPage } from "@/components/site/public-page";
import { AccountChip } from "@/components/wallet/account-chip";
import { approvalId, toApprovalView } from "@/lib/approvals/contract";
import * as approvals from "@/lib/approvals/service";
import { orNotFound } from "@/lib/http/found";
import { toPaymentView } from "@/lib/payments/responses";
import { weighAddresses } from "@/lib/payouts/address-book/service";
import { pageContext } from "@/lib/wiring";
import { type Context, type OwnerContext, reviewed } from "../../mandate/[mandateId]/visit";

export const metadata: Metadata = { title: "Approve a payment", robots: { index: false } };
export const dynamic = "force-dynamic";

type Props = {
  params: Promise<{ approvalId: string }>;
  searchParams: Promise<{ token?: string | string[] }>;
};

/** One payment that an agent asks for: sign in, link the agent, approve or deny. */
export default async function AuthorizePaymentPage({ params, searchParams }: Props) {
  const ctx = await pageContext();
  const { token: given } = await searchParams;
  const token = typeof given === "string" && given !== "" ? given : undefined;
  const { stage, said, content } = await visit(ctx, (await params).approvalId, token);
  return (
    <PublicPage
      devnet={ctx.config.mode === "devnet"}
      account={ctx.actor.type === "owner" && <AccountChip address={ctx.actor.address} dashboardHref="/dashboard" />}
    >
      <Stage name={stage} said={said}>
        {content}
      </Stage>
    </PublicPage>
  );
}

async function visit(ctx: Context, idText: string, token: string | undefined) {
  const id = approvalId.safeParse(idText);
  if (!id.success) notFound();
  const { actor } = ctx;
  // Whether there is such a request is nobody's business without the token.
  if (token === undefined && actor.type === "nobody") {
    return { stage: "incomplete", said: "", content: <Incomplete thing="payment" /> };
  }
  const page = await orNotFound(approvals.forDeciding(ctx, id.data, token));
  const shown = {
    approval: toApprovalView(page, ctx.config.baseUrl, ctx.now()),
    isDevnet: ctx.config.mode === "devnet",
  };
  switch (page.nextStep) {
    case "sign_in":
      return { stage: "sign-in", said: "", content: <SignInStage {...shown} /> };
    case "claim":
      return { stage: "link", said: "Link the agent first", content: <LinkStage {...shown} token={token} /> };
    case "linked_elsewhere":
      return {
        stage: "elsewhere",
        said: "",
        content: <Elsewhere thing="payment" asker={<Asker approval={shown.approval} />} owner={page.ownerAddress} />,
      };
    case "decide":
      // Only an owner is asked to decide.
      if (actor.type === "owner") return deciding({ ...ctx, actor }, page, shown);
      break;
    case "nothing":
      break;
    default:
      return page.nextStep satisfies never;
  }
  const payment = page.payment && toPaymentView(page.payment);
  const isOwner = actor.type === "owner" && page.agentOwnerId === actor.ownerId;
  return {
    stage: payment?.status ?? page.status,
    said: "",
    content: <OverStage {...shown} payment={payment} isOwner={isOwner} />,
  };
}

type Shown = Parameters<typeof SignInStage>[0];

async function deciding(ctx: OwnerContext, { approval }: approvals.ApprovalPage, shown: Shown) {
  const [{ wallet, balance }, [payee], mandate] = await Promise.all([
    approvals.weigh(ctx, approval),
    weighAddresses(ctx, [approval.payee]),
    approvals.preparedMandate(ctx, approval),
  ]);
  if (mandate?.status === "pending_signature") {
    const { typedData } = await reviewed(ctx, mandate);
    const sign = { approval: shown.approval, mandate, owner: ctx.actor.address, balance, typedData };
    return { stage: "sign", said: "Review the mandate and sign it", content: <SignStage {...sign} /> };
  }
  // One address was asked about.
  if (!payee) throw new Error("an address was weighed and nothing said of it");
  const { isFirst, bookName: name, looksLike } = payee;
  const weighed = { wallet: wallet.address, balance, isFirst, name, looksLike };
  const signed = mandate?.status === "signed" ? mandate : null;
  return {
    stage: "review",
    said: "Waiting for your decision",
    content: <ReviewStage {...shown} weighed={weighed} signed={signed} />,
  };
}
