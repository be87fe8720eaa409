import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { Elsewhere } from "@/components/authorize/stages";
import { LookalikeNote } from "@/components/mandates/lookalike-note";
import {
  Incomplete,
  LinkStep,
  Over,
  ReviewStep,
  SignedStep,
  SignInStep,
  VaultSignedStep,
} from "@/components/mandates/signing-steps";
import { paysHosts } from "@/components/mandates/words";
import { lookalikeOf } from "@/lib/agents/service";
import { orNotFound } from "@/lib/http/found";
import { mandateId } from "@/lib/mandates/responses";
import * as mandates from "@/lib/mandates/service";
import { pageContext } from "@/lib/wiring";
import type { OwnerContext, PageContext } from "../../../context";
import { AuthorizePage, type SearchParams, type Shown, tokenOf } from "../../frame";
import { explorerOf, offered, reviewed, stageOf } from "./page-state";

export const metadata: Metadata = { title: "Sign a mandate", robots: { index: false } };
export const dynamic = "force-dynamic";

type Props = { params: Promise<{ mandateId: string }>; searchParams: SearchParams };

/** From a link to a signed mandate on one page: sign in, link the agent, review, sign. */
export default async function AuthorizeMandatePage({ params, searchParams }: Props) {
  const ctx = await pageContext();
  const state = await show(ctx, (await params).mandateId, await tokenOf(searchParams));
  return <AuthorizePage ctx={ctx} shown={state} />;
}

async function show(ctx: PageContext, idText: string, token: string | undefined): Promise<Shown> {
  const id = mandateId.safeParse(idText);
  if (!id.success) notFound();
  const { actor } = ctx;
  // Without the token, a visitor must not learn whether the mandate exists.
  if (token === undefined && actor.type === "anonymous") {
    return { stage: "incomplete", said: "", content: <Incomplete />, isNarrow: true };
  }
  const mandate = await orNotFound(mandates.forSigning(ctx, id.data, token));
  const stage = stageOf(mandate);
  switch (stage) {
    case "sign-in": {
      const isPlaceOpen = paysHosts(mandate) && (await mandates.offersVaults(ctx, mandate.network));
      return { stage, said: "Step 1 of 4", content: <SignInStep mandate={mandate} isPlaceOpen={isPlaceOpen} /> };
    }
    case "elsewhere": {
      const asker = <bdi>{mandate.agentName}</bdi>;
      return {
        stage,
        said: "",
        content: <Elsewhere thing="mandate" asker={asker} owner={mandate.ownerAddress} />,
        isNarrow: true,
      };
    }
    case "over":
      return { stage, said: "", content: <Over mandate={mandate} isOwner={actor.type === "owner"} />, isNarrow: true };
  }
  if (actor.type === "anonymous")
    return { stage: "over", said: "", content: <Over mandate={mandate} isOwner={false} />, isNarrow: true };
  return openStep({ ...ctx, actor }, stage, mandate, token);
}

async function openStep(
  ctx: OwnerContext,
  stage: "link" | "review" | "signed",
  mandate: mandates.SigningView,
  token: string | undefined,
): Promise<Shown> {
  const owner = ctx.actor.address;
  const isDevnet = ctx.config.mode === "devnet";
  const lookalike = await lookalikeOf(ctx, mandate.agentId, mandate.agentName);
  const warning = lookalike !== null && <LookalikeNote name={lookalike} />;
  switch (stage) {
    case "link": {
      const content = (
        <>
          {warning}
          <LinkStep mandate={mandate} token={token} owner={owner} />
        </>
      );
      return { stage, said: "Step 2 of 4", content };
    }
    case "review": {
      const [{ typedData, balance }, offer] = await Promise.all([reviewed(ctx, mandate, token), offered(ctx, mandate)]);
      const content = (
        <>
          {warning}
          <ReviewStep
            mandate={mandate}
            token={token}
            owner={owner}
            typedData={typedData}
            balance={balance}
            isDevnet={isDevnet}
            {...offer}
          />
        </>
      );
      return { stage, said: "Step 3 of 4", content };
    }
    case "signed": {
      const { typedData, balance, shown: signedVault } = await reviewed(ctx, mandate, token);
      const content =
        mandate.vault && signedVault ? (
          <VaultSignedStep
            mandate={mandate}
            vault={mandate.vault}
            shown={signedVault}
            typedData={typedData}
            explorer={explorerOf(ctx, mandate)}
          />
        ) : (
          <SignedStep mandate={mandate} typedData={typedData} balance={balance} isDevnet={isDevnet} />
        );
      return { stage, said: "Signed", content };
    }
    default:
      return stage satisfies never;
  }
}
