/** Leads to a transaction on a public block explorer. */
export const ExplorerLink = ({ explorer, hash }: { explorer: string; hash: string }) => (
  <a
    href={`${explorer}/tx/${hash}`}
    target="_blank"
    rel="noreferrer"
    className="text-small underline underline-offset-4 max-sm:py-2.5"
  >
    See it on {new URL(explorer).host}
  </a>
);
