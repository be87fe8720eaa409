import type { ReactNode } from "react";
import { type BoughtFile, FileDownload } from "@/components/checkout/file-download";
import { AddressTag } from "@/components/ui/address-tag";
import { Amount } from "@/components/ui/amount";
import { Badge, type BadgeTone } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { Copy } from "@/components/ui/copy";
import { ExplorerLink } from "@/components/ui/explorer-link";
import { Fact, Facts } from "@/components/ui/facts";
import { layOut } from "@/components/ui/lay-out";
import { LinkedText } from "@/components/ui/linked-text";
import { Note } from "@/components/ui/note";
import { PageHeader } from "@/components/ui/page-header";
import { Time } from "@/components/ui/time";
import { Wordmark } from "@/components/ui/wordmark";
import type { ShownImage } from "@/lib/links/images/image";
import type { SettlementView } from "@/lib/settlements/contract";
import { NETWORKS } from "@/lib/x402/networks";
import { PrintButton } from "./print-button";
import { ReceiptImage } from "./receipt-image";
import { SignedReceipt, type SignedReceiptProps } from "./signed-receipt";

export type ReceiptProps = {
  settlement: SettlementView;
  /** The purchased content, for its buyer. */
  content: string | null;
  /** The purchased file, for its buyer. */
  file: BoughtFile | null;
  /** The address that shows the purchase again, for its buyer. */
  purchaseUrl: string | null;
  /** Who sold it, where that is known. */
  seller: SellerOf | null;
  /** What the link showed to the buyer, as long as it shows it. */
  image: ShownImage | null;
  /** Null as long as there is nothing to sign. */
  signed: SignedReceiptProps | null;
  isDevnet: boolean;
};

/** `site` is the host to which the seller's link leads after the payment. */
export type SellerOf = { name: string; site: string | null };

/** How a payment ended, or that it has not yet. It is called a receipt only once it is paid. */
export function Receipt({ settlement, content, file, purchaseUrl, seller, image, signed, isDevnet }: ReceiptProps) {
  const { stillValidUntil: until, failureCode } = settlement;
  const state = until ? "declined" : settlement.settlementStatus;
  const { title, tone, word, described } = STATES[state];
  return (
    <>
      <div className="hidden print:block">
        <Wordmark />
      </div>
      <PageHeader
        eyebrow={state === "settled" ? "Receipt" : "Payment"}
        title={title}
        description={described}
        actions={<Badge tone={tone}>{word}</Badge>}
      />
      {until && (
        <Note tone="warn" title="It can still be paid">
          {FAILURES[failureCode ?? ""] ?? "The chain refused the transfer."} Anybody who has the signed payment can
          submit it until <Time at={until} form="short" />. Its payer can cancel it where they paid.
        </Note>
      )}
      {state === "failed" && (
        <Note tone="info" title="No money moved">
          {FAILURES[failureCode ?? ""] ?? "The chain refused the transfer."} A new payment needs a new proof.
        </Note>
      )}
      {file && (
        <Card aria-label="Your file">
          <FileDownload file={file} />
        </Card>
      )}
      {content !== null && <Content text={content} />}
      {image && <ReceiptImage image={image} />}
      <Card lift aria-label="Payment">
        <p className="text-small text-ink-2">{AMOUNTS[state]}</p>
        <p>
          <Amount atomic={settlement.amount} size="big" />
        </p>
        <hr className="my-5" />
        <ReceiptFacts settlement={settlement} seller={seller} isDevnet={isDevnet} />
      </Card>
      <div className="flex flex-wrap gap-2.5" data-print="no">
        <PrintButton />
        <Copy value={settlement.receiptUrl} label="Copy link" className="min-h-11" />
        {purchaseUrl !== null && (
          <Copy value={purchaseUrl} label="Copy the address of your purchase" className="min-h-11" />
        )}
      </div>
      {purchaseUrl !== null && (
        <p className="text-small text-ink-2" data-print="no">
          The link shows the payment to anybody. The address of your purchase also shows what you bought, to anybody who
          has it: keep it to yourself.
        </p>
      )}
      {signed && <SignedReceipt {...signed} />}
    </>
  );
}

/** The seller's words or JSON: shown as text, whatever it looks like. Only its URLs are links. */
function Content({ text }: { text: string }) {
  const shown = layOut(text) ?? text;
  return (
    <Card aria-label="What you bought">
      <h2 className="text-body">What you bought</h2>
      <pre dir="auto" className="mono mt-3 whitespace-pre-wrap [overflow-wrap:anywhere] [unicode-bidi:plaintext]">
        <LinkedText text={shown} />
      </pre>
      <div className="mt-4" data-print="no">
        <Copy value={text} label="Copy what you bought" className="min-h-11" />
      </div>
    </Card>
  );
}

function ReceiptFacts({ settlement, seller, isDevnet }: Pick<ReceiptProps, "settlement" | "seller" | "isDevnet">) {
  const { payer, payee, network, txHash, blockNumber, createdAt, endedAt, resource, description, purpose } = settlement;
  return (
    <Facts>
      {seller && (
        <Fact label="Seller (name not verified)">
          “<bdi>{seller.name}</bdi>”
        </Fact>
      )}
      {seller?.site != null && (
        <Fact label="Seller’s site">
          <bdi>{seller.site}</bdi>
        </Fact>
      )}
      <Fact label="Payer">
        <Exact value={payer} noun="address" />
      </Fact>
      <Fact label="Recipient">
        <Exact value={payee} noun="address" />
      </Fact>
      <Fact label="What for">
        <bdi>{(purpose !== "refund" && description) || PURPOSES[purpose] || "A payment"}</bdi>
      </Fact>
      {resource !== "" && (
        <Fact label="Web address">
          <bdi className="mono [overflow-wrap:anywhere]">{resource}</bdi>
        </Fact>
      )}
      <Fact label="Network">
        {NETWORKS[network].label}
        {isDevnet && " (local devnet, test money)"}
      </Fact>
      <Moment label={endedAt ? "Completed" : "Received"} at={endedAt ?? createdAt} />
      {blockNumber !== null && (
        <Fact label="Block">
          <span className="num">{blockNumber}</span>
        </Fact>
      )}
      {txHash !== null && (
        <Fact label="Transaction">
          <Transaction hash={txHash} explorer={isDevnet ? null : NETWORKS[network].explorer} />
        </Fact>
      )}
      <Fact label={settlement.settlementStatus === "settled" ? "Receipt" : "Payment"}>
        <Exact
          value={settlement.settlementId}
          noun={settlement.settlementStatus === "settled" ? "receipt id" : "payment id"}
          tile={false}
        />
      </Fact>
    </Facts>
  );
}

/** Short on a screen, where it unfolds; whole on paper, where it cannot. */
function Exact({ value, noun, tile = true }: { value: string; noun: string; tile?: boolean }) {
  return (
    <>
      <span data-print="no">
        <AddressTag address={value} noun={noun} tile={tile} />
      </span>
      <span className="hidden mono [overflow-wrap:anywhere] print:inline">{value}</span>
    </>
  );
}

/** In the reader's time zone and in UTC. */
function Moment({ label, at }: { label: ReactNode; at: Date }) {
  return (
    <>
      <Fact label={label}>
        <Time at={at} />
      </Fact>
      <Fact label="In UTC">
        <span className="num">
          {at
            .toISOString()
            .replace("T", " ")
            .replace(/\.\d+Z$/, " UTC")}
        </span>
      </Fact>
    </>
  );
}

function Transaction({ hash, explorer }: { hash: string; explorer: string | null }) {
  return (
    <span className="inline-grid max-w-full justify-items-end gap-0.5">
      <Exact value={hash} noun="transaction hash" tile={false} />
      {explorer === null ? (
        <span className="text-small text-ink-2">This chain runs on this machine; no public explorer shows it.</span>
      ) : (
        <ExplorerLink explorer={explorer} hash={hash} />
      )}
    </span>
  );
}

const STATES = {
  pending: {
    title: "We are still checking. Do not pay again",
    tone: "info",
    word: "On its way",
    described:
      "The payment was handed to the chain and its end is not known yet. You can close this page: nothing is lost, and this page will say how it ended.",
  },
  declined: {
    title: "Not settled. Do not pay again yet",
    tone: "warn",
    word: "Not settled",
    described: "We stopped submitting this payment, but what was signed is still valid. This page shows how it ends.",
  },
  settled: {
    title: "Paid",
    tone: "good",
    word: "Settled",
    described: "The chain shows this transfer.",
  },
  failed: {
    title: "Not paid",
    tone: "bad",
    word: "Failed",
    described: "This payment has ended without a transfer, and its proof is worth nothing any more.",
  },
} satisfies Record<
  SettlementView["settlementStatus"] | "declined",
  { title: string; tone: BadgeTone; word: string; described: string }
>;

const AMOUNTS = {
  pending: "Amount on its way",
  declined: "Amount not settled",
  settled: "Amount paid",
  failed: "Amount that was not paid",
} satisfies Record<SettlementView["settlementStatus"] | "declined", string>;

const PURPOSES: Record<string, string> = {
  upl: "A payment to an agent",
  link: "A payment link of an agent",
  refund: "A refund of a payment",
  firewall: "A scan by the firewall",
  credits: "Service credits",
  payout: "A payout",
  facilitator: "A payment to a seller",
  deposit: "A deposit into a spending wallet",
  withdrawal: "A withdrawal from a spending wallet",
};

const FAILURES: Record<string, string> = {
  EXPIRED: "The proof ran out before the chain took it.",
  ALREADY_USED: "The proof had been used before.",
  CANCELED: "The payer cancelled the proof.",
  INSUFFICIENT_FUNDS: "The payer's wallet held less than the amount.",
  INVALID_SIGNATURE: "The signature was not the payer's.",
  ACCOUNT_BLOCKED: "The issuer of USDC has blocked one of the two accounts.",
  TOKEN_PAUSED: "The issuer of USDC has paused all transfers.",
  GROUP_FAILED: "Another transfer of the same payout could not be made, so none was.",
};
