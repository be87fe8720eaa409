import type { NormalizedOption } from "@tessera/firewall";
import type { Finding } from "@tessera/firewall/verdict";
import type { ReactNode } from "react";
import { AddressTag } from "@/components/ui/address-tag";
import { Amount } from "@/components/ui/amount";
import { cx } from "@/components/ui/cx";

export type OptionsTableProps = {
  label: string;
  options: readonly NormalizedOption[];
  findings: readonly Finding[];
  pointed: number | null;
  idOf: (path: string) => string;
};

/** The cell that a finding is about, such as `accepts[0].payTo`; null if the table has none. */
export function cellOf({ field = "" }: Finding): string | null {
  const [, option, member] = /^(accepts\[\d+\])\.(\w+)$/.exec(field) ?? [];
  const row = ROWS.find(({ members }) => members.some((name) => name === member));
  return option === undefined || row === undefined ? null : `${option}.${row.members[0]}`;
}

/** The normalised payment options: one column per option, one row per field. */
export function OptionsTable({ label: name, options, findings, pointed, idOf }: OptionsTableProps) {
  const cells = findings.map(cellOf);
  return (
    <section
      aria-label={name}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the keyboard
      tabIndex={0}
      // Relative: otherwise screen-reader-only text is positioned outside and widens the page.
      className="relative overflow-x-auto rounded-control border"
    >
      <table className="w-full border-collapse text-small">
        <caption className="sr-only">{name}, as they were understood</caption>
        <thead className={cx(options.length === 1 && "sr-only")}>
          <tr className="border-b">
            <th scope="col" className="px-3.5 py-2.5 text-left text-tiny font-medium text-ink-2">
              Field
            </th>
            {options.map(({ index }) => (
              <th
                key={index}
                scope="col"
                className="min-w-40 px-3.5 py-2.5 text-left text-tiny font-medium whitespace-nowrap text-ink-2"
              >
                Option {index + 1}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ROWS.map(({ label, members, show }) => (
            <tr key={label} className="border-b last:border-b-0">
              <th
                scope="row"
                className="px-3.5 py-2.5 text-left align-baseline font-normal whitespace-nowrap text-ink-2"
              >
                {label}
              </th>
              {options.map((option) => {
                const path = `accepts[${option.index}].${members[0]}`;
                const isPointed = pointed !== null && cells[pointed] === path;
                return (
                  <td
                    key={option.index}
                    id={idOf(path)}
                    tabIndex={-1}
                    {...(isPointed && { "data-pointed": "" })}
                    className={cx(
                      "min-w-40 px-3.5 py-2.5 align-baseline [overflow-wrap:anywhere]",
                      cells.includes(path) && "bg-bad-soft",
                      isPointed && "outline-2 -outline-offset-2 outline-brand",
                    )}
                  >
                    {show(option) ?? <span className="text-ink-2">None that can be read</span>}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** `members` are the names in the body; the first one names the cell. */
const ROWS: readonly {
  label: string;
  members: readonly [string, ...string[]];
  show: (option: NormalizedOption) => ReactNode;
}[] = [
  { label: "Scheme", members: ["scheme"], show: ({ scheme }) => scheme },
  {
    label: "Network",
    members: ["network"],
    show: ({ network, chainId }) => network && (chainId === null ? network : `${network} (chain ${chainId})`),
  },
  {
    label: "Amount",
    members: ["maxAmountRequired", "amount"],
    show: ({ amountAtomic, amountFormatted, assetSymbol }) =>
      amountFormatted === null ? (
        amountAtomic && `${amountAtomic} atomic units`
      ) : (
        <Amount value={amountFormatted} unit={assetSymbol ?? "credits"} />
      ),
  },
  { label: "Pay to", members: ["payTo"], show: ({ payTo }) => payTo && <AddressTag address={payTo} tileSize={18} /> },
  {
    label: "Asset",
    members: ["asset"],
    show: ({ asset, assetSymbol }) =>
      asset && <AddressTag address={asset} tile={false} {...(assetSymbol !== null && { name: assetSymbol })} />,
  },
  {
    label: "Resource",
    members: ["resource"],
    show: ({ resource }) => resource && <bdi className="mono">{resource}</bdi>,
  },
  { label: "Host", members: ["host"], show: ({ host }) => host && <bdi className="mono">{host}</bdi> },
  {
    label: "Valid for",
    members: ["maxTimeoutSeconds"],
    show: ({ maxTimeoutSeconds }) =>
      maxTimeoutSeconds === null ? null : `${maxTimeoutSeconds.toLocaleString("en-GB")} seconds`,
  },
  { label: "Media type", members: ["mimeType"], show: ({ mimeType }) => mimeType },
];
