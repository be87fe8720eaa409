import type { ReactNode } from "react";
import { fill } from "@/components/texts/template";
import { Amount } from "@/components/ui/amount";
import { formatDecimal, usdcText } from "@/components/ui/format";
import { formatUtc } from "@/components/ui/format-utc";
import type { Language } from "@/lib/core/language";
import { formatUsdc, type Usdc } from "@/lib/core/usdc";
import type { InvoiceOut } from "@/lib/invoices/views";
import { NETWORKS } from "@/lib/x402/networks";
import { dayText, ENGLISH, type InvoiceWords, isOrphan } from "./words";

export type InvoiceDocumentProps = {
  invoice: Omit<InvoiceOut, "buyer"> & { buyer: { name: string; address: string | null } };
  isDevnet: boolean;
  texts?: InvoiceWords;
};

type PartProps = Required<Pick<InvoiceDocumentProps, "invoice" | "texts">>;

/** The printable invoice. Everything except sums, state and domain is the seller's text. */
export function InvoiceDocument({ invoice, isDevnet, texts: translation = ENGLISH }: InvoiceDocumentProps) {
  const { language, texts } = translation;
  const { buyer, sellerName, sellerDomain, number, issueDate, dueDate, note, network } = invoice;
  return (
    // Not a section: the print stylesheet never breaks a section across pages, and a list of lines may need two.
    <article
      aria-label={fill(texts.title, { number })}
      className="min-w-0 rounded-card border bg-card p-5 text-control sm:p-8 print:border-0 print:p-0"
    >
      <div className="grid gap-6 sm:grid-cols-2 print:grid-cols-2">
        <Party label={texts.from} name={sellerName} details={invoice.sellerDetails}>
          {sellerDomain !== null && (
            <p className="text-small [overflow-wrap:anywhere] text-ink-2">
              {fill(texts.domainAtIssue, { domain: sellerDomain })}
            </p>
          )}
        </Party>
        <Party label={texts.to} name={buyer.name} details={buyer.address} />
      </div>
      <dl className="mt-6 grid gap-x-6 gap-y-3 sm:grid-cols-4 print:grid-cols-4">
        <Term label={texts.number}>{number}</Term>
        <Term label={texts.issued}>{dayText(issueDate, language)}</Term>
        <Term label={texts.due}>{dayText(dueDate, language)}</Term>
        <Term label={texts.network}>
          {isDevnet ? fill(texts.onDevnet, { network: NETWORKS[network].label }) : NETWORKS[network].label}
        </Term>
      </dl>
      <Lines invoice={invoice} texts={translation} />
      <Sums invoice={invoice} texts={translation} />
      {note !== null && note !== "" && (
        <div className="mt-6 break-inside-avoid border-t pt-4">
          <h2 className="text-small font-medium text-ink-2">{texts.note}</h2>
          <p dir="auto" className="mt-1 [overflow-wrap:anywhere] whitespace-pre-wrap">
            {note}
          </p>
        </div>
      )}
      <div className="mt-6 break-inside-avoid border-t pt-4 text-small">
        <h2 className="text-small font-medium text-ink-2">{texts.payment}</h2>
        <Payment invoice={invoice} texts={translation} />
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
    <dd className="min-w-0 [overflow-wrap:anywhere] max-sm:text-end print:text-start">{children}</dd>
  </div>
);

/** Columns shown on paper and on large screens. On a phone, the description's cell shows quantity and price. */
const WIDE = "max-sm:hidden print:table-cell";
const CELL = "py-2.5 align-top";

function Lines({ invoice: { lines }, texts: { language, texts } }: PartProps) {
  return (
    <table className="mt-6 w-full border-collapse">
      <caption className="sr-only">{texts.lines}</caption>
      <thead>
        <tr className="border-y text-small text-ink-2">
          <th scope="col" className="py-2 pe-3 text-start font-medium">
            {texts.description}
          </th>
          <th scope="col" className={`py-2 pe-3 text-end font-medium ${WIDE}`}>
            {texts.quantity}
          </th>
          <th scope="col" className={`py-2 pe-3 text-end font-medium ${WIDE}`}>
            {texts.unitPrice}
          </th>
          <th scope="col" className="py-2 text-end font-medium">
            USDC
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ description, quantity, unitAmount, amount }, index) => (
          // The lines of an invoice never change.
          // biome-ignore lint/suspicious/noArrayIndexKey: their order is what identifies them
          <tr key={index} className="border-b">
            <td className={`${CELL} pe-3 [overflow-wrap:anywhere]`}>
              <bdi>{description}</bdi>
              <span className="block text-small text-ink-2 sm:hidden print:hidden">
                {formatDecimal(quantity, language)} × <Money atomic={unitAmount} language={language} />
              </span>
            </td>
            <td className={`${CELL} pe-3 text-end num ${WIDE}`}>{formatDecimal(quantity, language)}</td>
            <td className={`${CELL} pe-3 text-end ${WIDE}`}>
              <Money atomic={unitAmount} language={language} />
            </td>
            <td className={`${CELL} text-end`}>
              <Money atomic={amount} language={language} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Sums({ invoice: { subtotal, tax, total }, texts: { language, texts } }: PartProps) {
  return (
    <dl className="mt-4 ms-auto grid w-full max-w-90 break-inside-avoid gap-2">
      {tax !== null && (
        <>
          <Sum label={texts.subtotal} atomic={subtotal} language={language} />
          <Sum
            label={
              <>
                <bdi>{tax.label}</bdi>
                {tax.percent !== null && ` ${fill(texts.percent, { percent: formatDecimal(tax.percent, language) })}`}
              </>
            }
            atomic={tax.amount}
            language={language}
          />
        </>
      )}
      <div className="flex items-baseline justify-between gap-6 border-t pt-2">
        <dt className="font-medium">{texts.total}</dt>
        <dd className="min-w-0 text-end">
          <Amount value={formatUsdc(total)} size="mid" language={language} />
        </dd>
      </div>
    </dl>
  );
}

const Sum = ({ label, ...money }: MoneyProps & { label: ReactNode }) => (
  <div className="flex items-baseline justify-between gap-6">
    <dt className="min-w-0 text-ink-2 [overflow-wrap:anywhere]">{label}</dt>
    <dd className="min-w-0 text-end">
      <Money {...money} />
    </dd>
  </div>
);

type MoneyProps = { atomic: Usdc; language: Language };

/** Longer amounts wrap. */
const UNBROKEN_CHARS_MAX = 14;

const Money = ({ atomic, language }: MoneyProps) => {
  const value = formatUsdc(atomic);
  const isLong = value.length > UNBROKEN_CHARS_MAX;
  return (
    <Amount
      value={value}
      unit={null}
      language={language}
      {...(isLong && { className: "whitespace-normal! [overflow-wrap:anywhere]" })}
    />
  );
};

function Payment({ invoice, texts: { language, texts } }: PartProps) {
  const { state, canBePaid, payment, refundedAmount, paymentUrl } = invoice;
  if (payment?.status === "settled") {
    return (
      <dl className="mt-1 grid gap-1">
        <Fact label={texts.paid}>
          {payment.settledAt === null ? texts.paidUnknown : formatUtc(payment.settledAt, language)}
        </Fact>
        {refundedAmount > 0n && <Fact label={texts.refundedLabel}>{usdcText(refundedAmount, language)}</Fact>}
        {payment.txHash !== null && <Fact label={texts.transaction}>{payment.txHash}</Fact>}
        <Fact label={texts.receipt}>{payment.receiptUrl}</Fact>
      </dl>
    );
  }
  return (
    <>
      <p className="mt-1 text-ink-2">{isOrphan(invoice) ? texts.orphanPayment : texts.payments[state]}</p>
      {canBePaid && <p className="mono [overflow-wrap:anywhere]">{paymentUrl}</p>}
    </>
  );
}

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="sm:flex sm:gap-3 print:flex print:gap-3">
    <dt className="w-24 shrink-0 text-ink-2">{label}</dt>
    <dd className="min-w-0 mono [overflow-wrap:anywhere]">{children}</dd>
  </div>
);
