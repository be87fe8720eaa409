import { useRouter } from "next/navigation";
import { useState } from "react";
import type { TypedDataPayload } from "@/components/wallet/typed-data";
import { useTypedData } from "@/components/wallet/use-typed-data";
import { callApi } from "@/lib/http/client";
import {
  collectForWallet,
  collectFunding,
  collectPermit,
  notSigned,
  type Problem,
  problemOf,
  type Signing,
  type Turn,
} from "./signing";
import type { Place, VaultDraft } from "./vaults/types";
import { type Payees, sentenceFor } from "./words";

export type SigningProps = {
  mandateId: string;
  /** The signed-in owner, who must sign. */
  owner: string;
  chainId: number;
  /** The switch that confirms new payees. */
  payees: Payees | undefined;
  /** The typed data that the page shows. The wallet signs exactly this, or what follows from the vault's. */
  shown: TypedDataPayload;
  vault: VaultDraft | undefined;
};

/** Where the money is to be, and how much of it moves into a vault now. */
export type Choice = { place: Place; amount: bigint };

/** Undefined: nothing is under way. */
export type Progress = "preparing" | Turn | "sending" | undefined;

/** Signs a mandate in the owner's wallet, and sends the signatures. */
export function useSigning({ mandateId, owner, chainId, payees, shown: reviewedPayload, vault }: SigningProps) {
  const router = useRouter();
  const signTypedData = useTypedData();
  const [progress, setProgress] = useState<Progress>();
  const [problem, setProblem] = useState<Problem>();

  const signing: Signing = {
    mandateId,
    owner,
    ask: (typedData, step) => {
      setProgress(step);
      return signTypedData({ owner, chainId, typedData });
    },
  };

  function collect({ place, amount }: Choice) {
    if (place === "wallet" || !vault) return collectForWallet(signing, reviewedPayload);
    return place === "vault_now" ? collectFunding(signing, vault, amount) : collectPermit(signing, vault);
  }

  async function attempt(choice: Choice): Promise<Problem | undefined> {
    if (payees && !payees.isSaved) {
      const saved = await callApi("PATCH", `/api/mandates/${mandateId}`, { confirmPayees: payees.isOn });
      if (!saved.ok) return notSigned(sentenceFor(saved));
    }
    const collected = await collect(choice);
    if (collected.type === "failed") return collected.problem;
    setProgress("sending");
    const response = await callApi("POST", `/api/mandates/${mandateId}/signature`, collected.body);
    return response.ok ? undefined : problemOf(response);
  }

  async function sign(choice: Choice) {
    setProgress("preparing");
    setProblem(undefined);
    const newProblem = await attempt(choice);
    setProblem(newProblem);
    // On success it stays busy until the refreshed page shows the signed mandate.
    if (newProblem) setProgress(undefined);
    router.refresh();
  }

  return { sign, progress, problem };
}
