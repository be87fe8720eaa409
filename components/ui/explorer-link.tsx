import { page } from "@/components/texts/en/page";
import { fill, type Template } from "@/components/texts/template";

export type ExplorerLinkProps = { explorer: string; says?: Template<"host"> | undefined } & (
  | { hash: string }
  | { hash?: undefined; address: string }
);

/** Leads to a transaction or an address on a public block explorer. */
export const ExplorerLink = ({ explorer, says = page.explorer, ...target }: ExplorerLinkProps) => (
  <a
    href={target.hash !== undefined ? `${explorer}/tx/${target.hash}` : `${explorer}/address/${target.address}`}
    target="_blank"
    rel="noreferrer"
    className="text-small underline underline-offset-4 max-sm:py-2.5"
  >
    {fill(says, { host: new URL(explorer).host })}
  </a>
);
