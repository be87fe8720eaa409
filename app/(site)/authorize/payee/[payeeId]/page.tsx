import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { SignInPrompt } from "@/components/authorize/stages";
import { PayeeStage } from "@/components/payees/stages";
import { orNotFound } from "@/lib/http/found";
import * as mandates from "@/lib/mandates/service";
import { payeeId, toPayeeView } from "@/lib/payees/contract";
import * as payees from "@/lib/payees/service";
import { weighAddresses } from "@/lib/payouts/address-book/service";
import { historyOf } from "@/lib/purchases/hosts/service";
import { pageContext } from "@/lib/wiring";
import { AuthorizePage } from "../../frame";

export const metadata: Metadata = { title: "Confirm a payee", robots: { index: false } };
export const dynamic = "force-dynamic";

type Props = { params: Promise<{ payeeId: string }> };

/** The page on which the owner of a mandate decides about an address that the host did not confirm. */
export default async function AuthorizePayeePage({ params }: Props) {
  const { actor, ...app } = await pageContext();
  const id = payeeId.safeParse((await params).payeeId);
  if (!id.success) notFound();
  if (actor.type === "anonymous") {
    const content = (
      <SignInPrompt thing="payee">
        It is for the account that signed the mandate. Signing in moves no money.
      </SignInPrompt>
    );
    return <AuthorizePage ctx={{ ...app, actor }} shown={{ stage: "sign-in", said: "", content, isNarrow: true }} />;
  }
  const ctx = { ...app, actor };
  const { payee, agentName } = await orNotFound(payees.get(ctx, id.data));
  const { ownerId, network, resource, mandateId } = payee;
  const [[weighed], history, mandate] = await Promise.all([
    weighAddresses(ctx, [payee.payee]),
    historyOf(ctx, { ownerId, network, resource }),
    mandates.getForOwner(ctx, mandateId),
  ]);
  if (!weighed) throw new Error("weighAddresses returned nothing for the payee");
  const view = toPayeeView(payee);
  const content = (
    <PayeeStage
      payee={view}
      agentId={payee.agentId}
      agentName={agentName}
      weighed={{
        isFirst: weighed.isFirst,
        name: weighed.bookName,
        looksLike: weighed.looksLike,
        history,
        mandateLeft: mandate.remainingAmount,
      }}
      isDevnet={ctx.config.mode === "devnet"}
    />
  );
  return <AuthorizePage ctx={ctx} shown={{ stage: view.status, said: SAID[view.status], content }} />;
}

const SAID = { waiting: "Waiting for your decision", confirmed: "Confirmed", refused: "Refused" };
