import type { ReactNode } from "react";
import { Amount } from "@/components/ui/amount";
import { usdcText } from "@/components/ui/format";
import { utcMinute } from "@/components/ui/format-time";
import { formatUsdc, type Usdc } from "@/lib/core/usdc";
import type { InvoiceOut } from "@/lib/invoices/views";
import { NETWORKS } from "@/lib/x402/networks";
import { dayText, isOrphan } from "./words";

export type InvoiceDocumentProps = {
  invoice: Omit<InvoiceOut, "buyer"> & { buyer: { name: string; address: string | null } };
  isDevnet: boolean;
};

/** The invoice as it is printed. Everything in it but the sums, the state and the domain are the seller's words. */
export function InvoiceDocument({ invoice, isDevnet }: InvoiceDocumentProps) {
  const { buyer, sellerName, sellerDomain, number, issueDate, dueDate, note, network } = invoice;
  return (
    // No section: a section is never broken between two pages, and a list of lines is.
    <article
      aria-label={`Invoice ${number}`}
      className="min-w-0 rounded-card border bg-card p-5 text-control sm:p-8 print:border-0 print:p-0"
    >
      <div className="grid gap-6 sm:grid-cols-2 print:grid-cols-2">
        <Party label="From" name={sellerName} details={invoice.sellerDetails}>
          {sellerDomain !== null && (
            <p className="text-small [overflow-wrap:anywhere] text-ink-2">{sellerDomain} (domain verified at issue)</p>
          )}
        </Party>
        <Party label="To" name={buyer.name} details={buyer.address} />
      </div>
      <dl className="mt-6 grid gap-x-6 gap-y-3 sm:grid-cols-4 print:grid-cols-4">
        <Term label="Invoice number">{number}</Term>
        <Term label="Issued">{dayText(issueDate)}</Term>
        <Term label="Due">{dayText(dueDate)}</Term>
        <Term label="Network">
          {NETWORKS[network].label}
          {isDevnet && " (local devnet, test money)"}
        </Term>
      </dl>
      <Lines invoice={invoice} />
      <Sums invoice={invoice} />
      {note !== null && note !== "" && (
        <div className="mt-6 break-inside-avoid border-t pt-4">
          <h2 className="text-small font-medium text-ink-2">Note</h2>
          <p dir="auto" className="mt-1 [overflow-wrap:anywhere] whitespace-pre-wrap">
            {note}
          </p>
        </div>
      )}
      <div className="mt-6 break-inside-avoid border-t pt-4 text-small">
        <h2 className="text-small font-medium text-ink-2">Payment</h2>
        <Payment invoice={invoice} />
      </div>
    </article>
  );
}

type PartyProps = { label: string; name: string; details: string | null; children?: ReactNode };

const Party = ({ label, name, details, children }: PartyProps) => (
  <div className="min-w-0">
    <h2 className="text-small font-medium text-ink-2">{label}</h2>
    <p className="font-medium [overflow-wrap:anywhere]">
      <bdi>{name}</bdi>
    </p>
    {children}
    {details !== null && details !== "" && (
      <p dir="auto" className="text-small [overflow-wrap:anywhere] whitespace-pre-wrap text-ink-2">
        {details}
      </p>
    )}
  </div>
);

const Term = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="min-w-0 max-sm:flex max-sm:justify-between max-sm:gap-4 print:block">
    <dt className="shrink-0 text-small text-ink-2">{label}</dt>
    <dd className="min-w-0 [overflow-wrap:anywhere] max-sm:text-right print:text-left">{children}</dd>
  </div>
);

/** A wide table on paper and on large screens. On a phone, quantity and price stand below the description. */
const WIDE = "max-sm:hidden print:table-cell";
const CELL = "py-2.5 align-top";

function Lines({ invoice: { lines } }: Pick<InvoiceDocumentProps, "invoice">) {
  return (
    <table className="mt-6 w-full border-collapse">
      <caption className="sr-only">Lines of the invoice</caption>
      <thead>
        <tr className="border-y text-left text-small text-ink-2">
          <th scope="col" className="py-2 pr-3 font-medium">
            Description
          </th>
          <th scope="col" className={`py-2 pr-3 text-right font-medium ${WIDE}`}>
            Quantity
          </th>
          <th scope="col" className={`py-2 pr-3 text-right font-medium ${WIDE}`}>
            Unit price
          </th>
          <th scope="col" className="py-2 text-right font-medium">
            USDC
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ description, quantity, unitAmount, amount }, at) => (
          // The lines of an invoice never change.
          // biome-ignore lint/suspicious/noArrayIndexKey: their order is what identifies them
          <tr key={at} className="border-b">
            <td className={`${CELL} pr-3 [overflow-wrap:anywhere]`}>
              <bdi>{description}</bdi>
              <span className="block text-small text-ink-2 sm:hidden print:hidden">
                {quantity} × <Money atomic={unitAmount} />
              </span>
            </td>
            <td className={`${CELL} pr-3 text-right num ${WIDE}`}>{quantity}</td>
            <td className={`${CELL} pr-3 text-right ${WIDE}`}>
              <Money atomic={unitAmount} />
            </td>
            <td className={`${CELL} text-right`}>
              <Money atomic={amount} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Sums({ invoice: { subtotal, tax, total } }: Pick<InvoiceDocumentProps, "invoice">) {
  return (
    <dl className="mt-4 ml-auto grid w-full max-w-90 break-inside-avoid gap-2">
      {tax !== null && (
        <>
          <Sum label="Subtotal" atomic={subtotal} />
          <Sum
            label={
              <>
                <bdi>{tax.label}</bdi>
                {tax.percent !== null && ` (${tax.percent}%)`}
              </>
            }
            atomic={tax.amount}
          />
        </>
      )}
      <div className="flex items-baseline justify-between gap-6 border-t pt-2">
        <dt className="font-medium">Total</dt>
        <dd className="min-w-0 text-right">
          <Amount value={formatUsdc(total)} size="mid" />
        </dd>
      </div>
    </dl>
  );
}

const Sum = ({ label, atomic }: { label: ReactNode; atomic: Usdc }) => (
  <div className="flex items-baseline justify-between gap-6">
    <dt className="min-w-0 text-ink-2 [overflow-wrap:anywhere]">{label}</dt>
    <dd className="min-w-0 text-right">
      <Money atomic={atomic} />
    </dd>
  </div>
);

/** A long amount wraps. */
const Money = ({ atomic }: { atomic: Usdc }) => (
  <Amount value={formatUsdc(atomic)} unit={null} className="whitespace-normal! [overflow-wrap:anywhere]" />
);

function Payment({ invoice }: Pick<InvoiceDocumentProps, "invoice">) {
  const { state, canBePaid, payment, refundedAmount, paymentUrl } = invoice;
  if (payment?.status === "settled") {
    return (
      <dl className="mt-1 grid gap-1">
        <Fact label="Paid">
          {payment.settledAt === null ? "The chain shows the transfer" : utcMinute(payment.settledAt)}
        </Fact>
        {refundedAmount > 0n && <Fact label="Refunded">{usdcText(refundedAmount)}</Fact>}
        {payment.txHash !== null && <Fact label="Transaction">{payment.txHash}</Fact>}
        <Fact label="Receipt">{payment.receiptUrl}</Fact>
      </dl>
    );
  }
  return (
    <>
      <p className="mt-1 text-ink-2">{isOrphan(invoice) ? ORPHAN : PAYMENT_WORDS[state]}</p>
      {canBePaid && <p className="mono [overflow-wrap:anywhere]">{paymentUrl}</p>}
    </>
  );
}

const ORPHAN = "It can no longer be paid: the seller’s agent was removed.";

const PAYMENT_WORDS = {
  open: "In USDC at this address: a checkout for people, x402 for programs. Another transfer cannot be matched to this invoice.",
  overdue:
    "In USDC at this address: a checkout for people, x402 for programs. Another transfer cannot be matched to this invoice.",
  payment_under_way: "A payment is under way. The chain has not shown yet how it ends.",
  paid: "The chain shows the transfer of the whole amount.",
  expired: "Not paid until the due date. It can no longer be paid.",
  cancelled: "Cancelled by the seller. It cannot be paid.",
} satisfies Record<InvoiceOut["state"], string>;

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="sm:flex sm:gap-3 print:flex print:gap-3">
    <dt className="w-24 shrink-0 text-ink-2">{label}</dt>
    <dd className="min-w-0 mono [overflow-wrap:anywhere]">{children}</dd>
  </div>
);
