import { buttonClass } from "@/components/ui/button";
import { cx } from "@/components/ui/cx";

export type WalletAppsProps = {
  url: string;
  /** True on a page that may be framed: the wallet's site would replace the framed page. */
  opensTab?: boolean | undefined;
  className?: string | undefined;
};

/** Links that open this page in a wallet app's browser, which injects the app's wallet. */
export function WalletApps({ url, opensTab = false, className }: WalletAppsProps) {
  return (
    <ul className={cx("grid grid-cols-2 gap-2", className)}>
      {APPS.map(({ name, link }) => (
        <li key={name}>
          <a
            href={link(url)}
            target={opensTab ? "_blank" : undefined}
            rel="noreferrer"
            className={cx(buttonClass({ size: "small", wide: true }), "min-h-11")}
          >
            {name}
          </a>
        </li>
      ))}
    </ul>
  );
}

const APPS = [
  {
    name: "MetaMask",
    // Host and path must not be percent-encoded: otherwise the app opens a blank tab.
    link: (url: string) => `https://link.metamask.io/dapp/${url.replace(/^https?:\/\//, "")}`,
  },
  { name: "Base app", link: (url: string) => `https://go.cb-w.com/dapp?cb_url=${encodeURIComponent(url)}` },
  {
    name: "Trust Wallet",
    link: (url: string) => `https://link.trustwallet.com/open_url?coin_id=60&url=${encodeURIComponent(url)}`,
  },
  { name: "OKX Wallet", link: (url: string) => `okx://wallet/dapp/url?dappUrl=${encodeURIComponent(url)}` },
] as const;
