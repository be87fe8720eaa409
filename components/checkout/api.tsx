import { Braces, Wrench } from "lucide-react";
import type { OfferTexts } from "@/components/texts/en/offer";
import { fill, type Words } from "@/components/texts/template";
import { usdcText } from "@/components/ui/format";
import { TRIES_MAX } from "@/lib/links/upstream/limits";
import { toolAt } from "@/lib/links/upstream/tools/names";
import { type Calls, callLines, passName, soldTexts } from "./calls";
import { Line } from "./other-ways";

type ApiPathsProps = { calls: Calls; texts: Words<OfferTexts> };

/** Paths that are shown at once; the others open. */
const SHOWN = 10;

/** What an API or an MCP server sells: each path with its methods and its price, or each tool. */
export function ApiPaths({ calls, texts: translation }: ApiPathsProps) {
  const { texts } = translation;
  const rest = calls.paths.length - SHOWN;
  return (
    <section aria-labelledby="paths" className="grid gap-2">
      <h2 id="paths" className="text-control font-medium">
        {soldTexts(calls, texts).offered}
      </h2>
      <Paths calls={{ ...calls, paths: calls.paths.slice(0, SHOWN) }} texts={translation} />
      {rest > 0 && (
        <details>
          <summary className="w-fit cursor-pointer py-2.5 text-small underline decoration-line-2 underline-offset-4">
            {fill(texts.callsMore, { count: rest })}
          </summary>
          <Paths calls={{ ...calls, paths: calls.paths.slice(SHOWN) }} texts={translation} />
        </details>
      )}
      {calls.pass && <Pass kind={calls.kind} pass={calls.pass} texts={translation} />}
    </section>
  );
}

type PassProps = Pick<Calls, "kind"> & { pass: NonNullable<Calls["pass"]>; texts: Words<OfferTexts> };

/** What is sold in place of single calls. */
function Pass({ kind, pass, texts: { language, texts } }: PassProps) {
  return (
    <div className="flex items-baseline justify-between gap-6 border-b pt-0.5 pb-2.5">
      <span className="grid min-w-0 gap-0.5">
        <span className="text-control">
          {fill(texts.callsPass, { name: passName({ kind, pass }, { language, texts }) })}
        </span>
        {pass.isByUse && <span className="text-tiny text-ink-3">{texts.callsPassByUse}</span>}
        {pass.isRefundable && <span className="text-tiny text-ink-3">{texts.callsPassRefundable}</span>}
      </span>
      <span className="num shrink-0 text-control">{usdcText(BigInt(pass.amount), language)}</span>
    </div>
  );
}

const Paths = ({ calls: { kind, methods, paths }, texts: { language, texts } }: ApiPathsProps) => (
  <ul className="divide-y border-y">
    {paths.map(({ path, amount }) => (
      <li key={path} className="flex items-baseline justify-between gap-6 py-2.5">
        <span className="grid min-w-0 gap-0.5">
          {path === null ? (
            <span className="text-control">{soldTexts({ kind }, texts).every}</span>
          ) : (
            <bdi className="mono text-small [overflow-wrap:anywhere]">{kind === "mcp" ? toolAt(path) : path}</bdi>
          )}
          {kind === "http" && <span className="text-tiny text-ink-3">{methods.join(" · ")}</span>}
        </span>
        <span className="num shrink-0 text-control">{usdcText(BigInt(amount), language)}</span>
      </li>
    ))}
  </ul>
);

/** How programs call a sold API or tool, in place of the ways to pay. */
export function ApiUse({ calls, texts }: { calls: Calls; texts: OfferTexts }) {
  const { kind, mcpUrl, paidUrl, openApiUrl } = calls;
  const words = soldTexts(calls, texts);
  const { curl, client, clientWithPass } = callLines(calls);
  const Icon = kind === "mcp" ? Wrench : Braces;
  return (
    <div className="grid gap-4 text-small">
      <div className="grid gap-2">
        <h2 className="flex items-center gap-2.5 text-[1.125rem] leading-snug">
          <Icon aria-hidden className="size-5 shrink-0 text-ink-2" />
          {words.title}
        </h2>
        <p className="text-ink-2">{words.text}</p>
      </div>
      <Line text={mcpUrl ?? paidUrl} label={texts.copyAddress} isCode />
      <p className="text-ink-2">{texts.terminal}</p>
      <Line text={curl} label={texts.copyCommand} isCode />
      <p className="text-ink-2">{words.client}</p>
      <Line text={client} label={texts.copyLine} isCode />
      {clientWithPass !== null && (
        <>
          <p className="text-ink-2">{words.clientPass}</p>
          <Line text={clientWithPass} label={texts.copyLine} isCode />
        </>
      )}
      {kind === "http" && (
        <p>
          <a href={openApiUrl} className="inline-flex min-h-11 items-center underline underline-offset-4">
            {texts.callsDocument}
          </a>
        </p>
      )}
      <p className="border-t pt-4 text-ink-2">{fill(words.promise, { count: TRIES_MAX })}</p>
    </div>
  );
}
