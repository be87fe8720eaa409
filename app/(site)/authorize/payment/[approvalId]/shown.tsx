import { notFound } from "next/navigation";
import { PaymentCard } from "@/components/approvals/payment-card";
import { Asker, OverStage, Question, ReviewStage, SignStage } from "@/components/approvals/stages";
import { Incomplete } from "@/components/authorize/stages";
import type { HeadingLevel } from "@/components/ui/page-header";
import { type ApprovalView, approvalId, toApprovalView } from "@/lib/approvals/contract";
import * as approvals from "@/lib/approvals/service";
import { orNotFound } from "@/lib/http/found";
import { toPaymentView } from "@/lib/payments/responses";
import { weighAddresses } from "@/lib/payouts/address-book/service";
import type { OwnerContext, PageContext } from "../../../context";
import { beforeDeciding, type Request, type Shown } from "../../frame";
import { reviewed } from "../../mandate/[mandateId]/page-state";

/** The page of one requested payment, in the state for this visitor. `level`: the heading level. */
export async function shownApproval(
  ctx: PageContext,
  idText: string,
  token: string | undefined,
  level?: HeadingLevel,
): Promise<Shown> {
  const id = approvalId.safeParse(idText);
  if (!id.success) notFound();
  const { actor } = ctx;
  // Without the token, a visitor must not learn whether the request exists.
  if (token === undefined && actor.type === "anonymous") {
    return { stage: "incomplete", said: "", content: <Incomplete thing="payment" /> };
  }
  const page = await orNotFound(approvals.forDeciding(ctx, id.data, token));
  const { nextStep } = page;
  const approval = toApprovalView(page, ctx.config.baseUrl, ctx.now());
  const isDevnet = ctx.config.mode === "devnet";
  switch (nextStep) {
    case "sign_in":
    case "claim":
    case "linked_elsewhere": {
      const request: Request = {
        thing: "payment",
        asker: <Asker approval={approval} />,
        title: <Question approval={approval} />,
        agentName: approval.agentName,
        owner: page.ownerAddress,
        path: `/api/approvals/${approval.approvalId}`,
        card: <PaymentCard approval={approval} isDevnet={isDevnet} />,
      };
      return beforeDeciding(nextStep, request, token);
    }
    case "decide":
      // Only owners reach this step.
      if (actor.type === "owner") return deciding({ ...ctx, actor }, page, approval, level);
      break;
    case "nothing":
      break;
    default:
      return nextStep satisfies never;
  }
  const payment = page.payment && toPaymentView(page.payment);
  const isOwner = actor.type === "owner" && page.agentOwnerId === actor.ownerId;
  const isApproved = actor.type === "owner" && isOwner && page.status === "approved";
  const balance = isApproved ? (await approvals.weigh({ ...ctx, actor }, page.approval)).balance : null;
  const stageProps = { approval, isDevnet, payment, isOwner, balance };
  return { stage: payment?.status ?? page.status, said: "", content: <OverStage level={level} {...stageProps} /> };
}

async function deciding(
  ctx: OwnerContext,
  { approval }: approvals.ApprovalPage,
  view: ApprovalView,
  level: HeadingLevel | undefined,
): Promise<Shown> {
  const [{ wallet, balance }, [payee], mandate] = await Promise.all([
    approvals.weigh(ctx, approval),
    weighAddresses(ctx, [approval.payee]),
    approvals.preparedMandate(ctx, approval),
  ]);
  if (mandate?.status === "pending_signature") {
    const { typedData } = await reviewed(ctx, mandate);
    const sign = { approval: view, mandate, owner: ctx.actor.address, balance, typedData };
    return { stage: "sign", said: "Review the mandate and sign it", content: <SignStage level={level} {...sign} /> };
  }
  if (!payee) throw new Error("weighAddresses returned nothing for the payee");
  const { isFirst, bookName: name, looksLike } = payee;
  const weighed = { wallet: wallet.address, balance, isFirst, name, looksLike };
  const signed = mandate?.status === "signed" ? mandate : null;
  return {
    stage: "review",
    said: "Waiting for your decision",
    content: (
      <ReviewStage
        level={level}
        approval={view}
        isDevnet={ctx.config.mode === "devnet"}
        weighed={weighed}
        signed={signed}
      />
    ),
  };
}
