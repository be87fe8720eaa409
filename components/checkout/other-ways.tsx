import { Copy } from "@/components/ui/copy";
import { JsonView } from "@/components/ui/json-view";
import { Qr } from "@/components/ui/qr";
import { WalletApps, type WalletAppsProps } from "./wallet-apps";

/** For phones: the same page in the browser of a wallet app. A phone gets the apps first, because it cannot scan itself. */
export function PhoneWay({ url, opensTab }: Pick<WalletAppsProps, "url" | "opensTab">) {
  return (
    <>
      <div className="hidden justify-items-center gap-4 sm:grid">
        <Code url={url} label="Scan it with your phone to pay there" />
        <div className="w-full border-t pt-4">
          <p className="mb-2.5 text-small text-ink-2">Already on your phone? Open it in your wallet's app:</p>
          <WalletApps url={url} opensTab={opensTab} />
        </div>
      </div>
      <div className="grid gap-4 sm:hidden">
        <p className="text-small text-ink-2">Open this page in your wallet's app, and pay there:</p>
        <WalletApps url={url} opensTab={opensTab} />
        <details>
          <summary className="cursor-pointer py-2.5 text-small underline decoration-line-2 underline-offset-4">
            Pay with another device
          </summary>
          <div className="grid justify-items-center gap-4 pt-2">
            <Code url={url} label="Scan it with the other device to pay there" />
          </div>
        </details>
      </div>
    </>
  );
}

function Code({ url, label }: { url: string; label: string }) {
  return (
    <>
      <Qr value={url} label={label} />
      <p className="text-center text-tiny text-ink-2">It opens this page. It moves no money.</p>
      <Copy value={url} label="Copy link" className="min-h-11" />
    </>
  );
}

export type AgentWayProps = { url: string; sum: string; required: object; hasOptions?: boolean };

/** For programs: the same URL responds with x402. */
export function AgentWay({ url, sum, required, hasOptions = false }: AgentWayProps) {
  const curl = url.includes("?") ? `curl -i '${url}'` : `curl -i ${url}`;
  const choice = hasOptions ? "first replace the query parameters with my order, then " : "";
  const prompt = `Pay ${sum} at ${url} with x402: ${choice}GET it, sign what the 402 requires, and send the proof as X-Payment to the same address.`;
  return (
    <div className="grid gap-4 text-small">
      <p className="text-ink-2">An agent pays at this same address, over x402. Paste this to yours:</p>
      <Line text={prompt} label="Copy prompt" />
      <p className="text-ink-2">Get the price from a terminal:</p>
      <Line text={curl} label="Copy command" isCode />
      <p className="text-ink-2">The response, 402 Payment Required:</p>
      <JsonView value={required} label="the 402 answer" />
    </div>
  );
}

function Line({ text, label, isCode = false }: { text: string; label: string; isCode?: boolean }) {
  return (
    <div className="flex items-start justify-between gap-2 rounded-control bg-sunk py-2 pr-2 pl-3.5">
      <p className={isCode ? "min-w-0 py-1 mono [overflow-wrap:anywhere]" : "min-w-0 py-1 [overflow-wrap:anywhere]"}>
        {text}
      </p>
      <Copy value={text} label={label} iconOnly />
    </div>
  );
}
