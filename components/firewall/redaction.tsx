import type { PromptScan } from "@tessera/firewall";
import { Minus, Plus } from "lucide-react";
import { cx } from "@/components/ui/cx";
import { Disclosure } from "@/components/ui/disclosure";
import { PlainText } from "./marked-text";
import { type Part, replacements } from "./pieces";

/** The redacted lines: the original, and the version in `redactedPreview`. */
export function Redaction({ text, scan }: { text: string; scan: PromptScan }) {
  const secrets = scan.findings.flatMap(({ code, span }) => (code === "SECRET_PATTERN" && span ? [span] : []));
  const replaced = replacements(text, secrets);
  return (
    <div className="grid gap-3">
      {replaced.length === 0 ? (
        <p className="text-control text-ink-2">
          Nothing was replaced. The reply’s preview is the beginning of the text as it came.
        </p>
      ) : (
        <ul aria-label="Replaced" className="grid divide-y overflow-hidden rounded-control border">
          {replaced.map(({ line, before: originalParts, after: redactedParts }) => (
            <li key={line} className="grid">
              <p className="px-3.5 pt-2 pb-1 text-tiny text-ink-2">Line {line}</p>
              <Line kind="before" parts={originalParts} />
              <Line kind="after" parts={redactedParts} />
            </li>
          ))}
        </ul>
      )}
      <Disclosure summary="redactedPreview in full">
        <p className="text-small whitespace-pre-wrap [overflow-wrap:anywhere]">
          <PlainText text={scan.redactedPreview} />
        </p>
      </Disclosure>
    </div>
  );
}

function Line({ kind, parts }: { kind: "before" | "after"; parts: readonly Part[] }) {
  const { Icon, Tag, word: label, ground, sign } = KINDS[kind];
  return (
    <div className={cx("flex gap-2.5 px-3.5 py-2", ground)}>
      <Icon aria-hidden className={cx("mt-1 size-3.5 shrink-0", sign)} />
      <p className="min-w-0 font-mono text-small whitespace-pre-wrap [overflow-wrap:anywhere]">
        <span className="sr-only">{label}: </span>
        {parts.map((part, index) => {
          const key = `${index} ${part.text.length}`;
          return part.isSecret ? (
            <Tag key={key} className="font-medium no-underline ring-1 ring-current/30">
              <PlainText text={part.text} />
            </Tag>
          ) : (
            <PlainText key={key} text={part.text} />
          );
        })}
      </p>
    </div>
  );
}

const KINDS = {
  before: { Icon: Minus, Tag: "del", word: "Original", ground: "bg-bad-soft", sign: "text-bad" },
  after: { Icon: Plus, Tag: "ins", word: "In the reply", ground: "bg-good-soft", sign: "text-good" },
} as const;
