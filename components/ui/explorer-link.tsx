export type ExplorerLinkProps = { explorer: string } & ({ hash: string } | { address: string });

/** Leads to a transaction or an address on a public block explorer. */
export const ExplorerLink = ({ explorer, ...of }: ExplorerLinkProps) => (
  <a
    href={"hash" in of ? `${explorer}/tx/${of.hash}` : `${explorer}/address/${of.address}`}
    target="_blank"
    rel="noreferrer"
    className="text-small underline underline-offset-4 max-sm:py-2.5"
  >
    See it on {new URL(explorer).host}
  </a>
);
