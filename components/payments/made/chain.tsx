import { CircleCheck, CircleDashed } from "lucide-react";
import type { ReactNode } from "react";
import { VERDICTS } from "@/components/firewall/verdict-words";
import type { ShownMandate } from "@/components/mandates/words";
import { Line, type Mark, STEP } from "@/components/payments/timeline";
import { AddressTag } from "@/components/ui/address-tag";
import { Link } from "@/components/ui/link";
import { Time } from "@/components/ui/time";
import type { PayeeView } from "@/lib/payees/contract";
import type { PaymentView } from "@/lib/payments/responses";

export type ChainProps = {
  payment: PaymentView;
  mandate: ShownMandate | null;
  /** The page of the approval, for a payment without a mandate. */
  approvalHref: string | null;
  /** The payee confirmation by the host or the owner; null if none was requested. */
  payee: PayeeView | null;
  scan: { verdict: keyof typeof VERDICTS; riskScore: number; rulesetVersion: string };
  explorer: string | null;
  receiptHref: string | null;
};

const DONE: Mark = { Icon: CircleCheck, colour: "text-good" };
const MISSING: Mark = { Icon: CircleDashed, colour: "text-ink-3" };

/** The evidence from the owner's signature to the receipt: what each step shows, and where to check it. */
export function EvidenceChain({ payment, mandate, approvalHref, payee, scan, explorer, receiptHref }: ChainProps) {
  const { txHash, settledAt } = payment;
  return (
    <ol aria-label="The chain of evidence" className="grid">
      <Consent mandate={mandate} approvalHref={approvalHref} />
      <Step mark={payee?.confirmedAt ? DONE : STEP} title="Requirement">
        <Requirement payee={payee} />
      </Step>
      <Step mark={scan.verdict === "pass" ? DONE : STEP} title="Scan">
        {VERDICTS[scan.verdict].label}, risk score {scan.riskScore}, by today’s rules ({scan.rulesetVersion}). The
        result at the time of the signature is not kept.
      </Step>
      <Step mark={DONE} title="Authorization" at={payment.createdAt}>
        The agent’s request was signed for this amount and this address only. It could be used once, until{" "}
        <Time at={new Date(Number(payment.validBefore) * 1000)} form="short" />.
      </Step>
      <Step mark={txHash === null ? MISSING : DONE} title="Transaction" at={settledAt ?? undefined}>
        {txHash === null ? (
          payment.status === "expired" ? (
            "None: the authorization was not used, and can no longer be used."
          ) : (
            "None yet."
          )
        ) : (
          <span className="flex flex-wrap items-center gap-x-3">
            <AddressTag address={txHash} noun="transaction hash" tile={false} />
            {explorer !== null && (
              <a href={`${explorer}/tx/${txHash}`} target="_blank" rel="noreferrer" className={LINK}>
                {new URL(explorer).host}
              </a>
            )}
          </span>
        )}
      </Step>
      <Step mark={receiptHref === null ? MISSING : DONE} title="Receipt">
        {receiptHref === null ? (
          "None from us: the seller did not settle it here."
        ) : (
          <Link href={receiptHref} className={LINK}>
            See the receipt
          </Link>
        )}
      </Step>
    </ol>
  );
}

const LINK = "inline-flex items-center underline underline-offset-4 max-sm:min-h-11";

function Consent({ mandate, approvalHref }: Pick<ChainProps, "mandate" | "approvalHref">) {
  if (mandate)
    return (
      <Step mark={DONE} title="Mandate signed" at={mandate.signedAt ?? undefined}>
        <Link href={`/mandates/${mandate.mandateId}`} className={LINK}>
          See the mandate and its signature
        </Link>
      </Step>
    );
  return (
    <Step mark={DONE} title="Approved by you">
      {approvalHref === null ? (
        "You approved this single payment."
      ) : (
        <Link href={approvalHref} className={LINK}>
          See what you approved
        </Link>
      )}
    </Step>
  );
}

function Requirement({ payee }: { payee: PayeeView | null }) {
  if (!payee) return "As sent by the agent. The host was not asked to confirm this address.";
  const { evidence, confirmedBy, confirmedAt, origin } = payee;
  if (confirmedBy === null) return "Neither the host nor you confirmed this address.";
  return (
    <>
      {confirmedBy === "host" ? (
        <>
          <bdi className="[overflow-wrap:anywhere]">{origin}</bdi> offered exactly this address, token and network
        </>
      ) : (
        "You confirmed this address for the host"
      )}
      {confirmedAt && (
        <>
          : <Time at={confirmedAt} form="short" />
        </>
      )}
      .
      {evidence && (
        <span className="mt-0.5 flex flex-wrap items-center gap-x-2">
          SHA-256 of its answer <AddressTag address={evidence.answerHash} noun="hash of the answer" tile={false} />
        </span>
      )}
    </>
  );
}

function Step({
  mark,
  title,
  at: date,
  children,
}: {
  mark: Mark;
  title: string;
  at?: Date | undefined;
  children: ReactNode;
}) {
  return (
    <Line mark={mark}>
      <p className="font-medium">{title}</p>
      <div className="min-w-0 text-small text-ink-2">{children}</div>
      {date && <Time at={date} form="short" className="text-small text-ink-2" />}
    </Line>
  );
}
