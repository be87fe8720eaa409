import type { OfferTexts } from "@/components/texts/en/offer";
import { Card } from "@/components/ui/card";
import { Copy } from "@/components/ui/copy";
import { JsonView } from "@/components/ui/json-view";
import { Qr } from "@/components/ui/qr";
import { WalletApps, type WalletAppsProps } from "./wallet-apps";

type PhoneWayProps = Pick<WalletAppsProps, "url" | "opensTab"> & { texts: OfferTexts };

/** Opens the checkout in a wallet app's browser. On phones the apps come first, because a phone cannot scan its own screen. */
export function PhoneWay({ url, opensTab, texts }: PhoneWayProps) {
  return (
    <>
      <div className="hidden justify-items-center gap-4 sm:grid">
        <Code url={url} label={texts.scanPhone} texts={texts} />
        <div className="w-full border-t pt-4">
          <p className="mb-2.5 text-small text-ink-2">{texts.onPhone}</p>
          <WalletApps url={url} opensTab={opensTab} />
        </div>
      </div>
      <div className="grid gap-4 sm:hidden">
        <p className="text-small text-ink-2">{texts.openInApp}</p>
        <WalletApps url={url} opensTab={opensTab} />
        <details>
          <summary className="cursor-pointer py-2.5 text-small underline decoration-line-2 underline-offset-4">
            {texts.otherDevice}
          </summary>
          <div className="grid justify-items-center gap-4 pt-2">
            <Code url={url} label={texts.scanOther} texts={texts} />
          </div>
        </details>
      </div>
    </>
  );
}

function Code({ url, label, texts }: { url: string; label: string; texts: OfferTexts }) {
  return (
    <>
      <Qr value={url} label={label} says={texts.code} />
      <p className="text-center text-tiny text-ink-2">{texts.codeOpens}</p>
      <Copy value={url} label={texts.copyLink} className="min-h-11" />
    </>
  );
}

export type WithoutScriptsProps = Pick<WalletAppsProps, "url" | "opensTab"> & {
  /** The link's address for programs; undefined on a page without instructions for them. */
  payUrl?: string | undefined;
  texts: OfferTexts;
};

/** In place of the payment panel, which does nothing without scripts: the ways to pay that do not need this page. */
export const WithoutScripts = ({ url, payUrl, opensTab, texts }: WithoutScriptsProps) => (
  <noscript>
    <style>{"[data-payment]{display:none}"}</style>
    <Card lift className="grid gap-3 p-5 text-control">
      <h2 className="text-body">{texts.noScriptTitle}</h2>
      <p className="text-small text-ink-2">{texts.noScriptText}</p>
      <WalletApps url={url} opensTab={opensTab} />
      {payUrl !== undefined && (
        <>
          <p className="text-small text-ink-2">{texts.noScriptAgent}</p>
          <p className="mono rounded-control bg-sunk px-3.5 py-3 [overflow-wrap:anywhere]">{payUrl}</p>
        </>
      )}
    </Card>
  </noscript>
);

export type AgentWayProps = { url: string; sum: string; required: object; hasOptions?: boolean; texts: OfferTexts };

/** Instructions for programs: the same URL responds with x402. The copied text and its sum are in English. */
export function AgentWay({ url, sum, required, hasOptions = false, texts }: AgentWayProps) {
  const curl = url.includes("?") ? `curl -i '${url}'` : `curl -i ${url}`;
  const choice = hasOptions ? "first replace the query parameters with my order, then " : "";
  const prompt = `Pay ${sum} at ${url} with x402: ${choice}GET it, sign what the 402 requires, and send the proof as X-Payment to the same address.`;
  return (
    <div className="grid gap-4 text-small">
      <p className="text-ink-2">{texts.agentPays}</p>
      <Line text={prompt} label={texts.copyPrompt} />
      <p className="text-ink-2">{texts.terminal}</p>
      <Line text={curl} label={texts.copyCommand} isCode />
      <p className="text-ink-2">{texts.response}</p>
      <JsonView value={required} label={texts.responseLabel} copyLabel={texts.copyResponse} />
    </div>
  );
}

export function Line({ text, label, isCode = false }: { text: string; label: string; isCode?: boolean }) {
  return (
    <div className="flex items-start justify-between gap-2 rounded-control bg-sunk py-2 pe-2 ps-3.5">
      <p
        lang="en"
        className={isCode ? "min-w-0 py-1 mono [overflow-wrap:anywhere]" : "min-w-0 py-1 [overflow-wrap:anywhere]"}
      >
        {text}
      </p>
      <Copy value={text} label={label} iconOnly />
    </div>
  );
}
