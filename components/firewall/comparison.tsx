import type { Finding, Severity } from "@tessera/firewall/verdict";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { cx } from "@/components/ui/cx";
import { differenceOf } from "./findings";
import type { Report } from "./judge";
import { SEVERITY_TONES, VERDICTS } from "./verdict-words";

export type ComparisonProps = { a: Report | null; b: Report | null };

export function Comparison({ a, b }: ComparisonProps) {
  return (
    <Card title="A against B" className="grid gap-5 [&>header]:mb-0">
      {a && b ? (
        <Difference a={a} b={b} />
      ) : (
        <p className="text-control text-ink-2">
          {a ? "B has no verdict yet." : b ? "A has no verdict yet." : "Neither has a verdict yet."} Pick an example for
          it, or enter your own input.
        </p>
      )}
    </Card>
  );
}

function Difference({ a, b }: { a: Report; b: Report }) {
  const { onlyA, both: commonFindings, onlyB } = differenceOf(a.scan.findings, b.scan.findings);
  const change = b.scan.riskScore - a.scan.riskScore;
  return (
    <>
      <dl className="grid grid-cols-[auto_auto] items-center justify-start gap-x-8 gap-y-2 text-control sm:flex sm:flex-wrap sm:gap-x-12">
        {[
          { name: "A", scan: a.scan },
          { name: "B", scan: b.scan },
        ].map(({ name, scan }) => {
          const { Icon, label, colour } = VERDICTS[scan.verdict];
          return (
            <div key={name} className="contents sm:flex sm:items-center sm:gap-3">
              <dt className="text-ink-2">{name}</dt>
              <dd className="flex items-center gap-2">
                <Icon aria-hidden className={cx("size-4.5", colour)} />
                <span className={cx("font-medium", colour)}>{label}</span>
                <span className="num">{scan.riskScore}</span>
              </dd>
            </div>
          );
        })}
        <div className="contents sm:flex sm:items-center sm:gap-3">
          <dt className="text-ink-2">Difference</dt>
          <dd className="num">{change === 0 ? "none" : change > 0 ? `+${change}` : `−${-change}`}</dd>
        </div>
      </dl>
      <div className="grid gap-5 md:grid-cols-3">
        <Share title="Only in A" findings={onlyA} />
        <Share title="In both" findings={commonFindings} />
        <Share title="Only in B" findings={onlyB} />
      </div>
    </>
  );
}

type ShareProps = { title: string; findings: readonly (Finding & { inB?: Severity })[] };

function Share({ title, findings }: ShareProps) {
  return (
    <section aria-label={title} className="grid min-w-0 content-start gap-2">
      <h3 className="text-small font-medium text-ink-2">{title}</h3>
      {findings.length === 0 ? (
        <p className="text-small text-ink-2">No finding</p>
      ) : (
        <ul className="grid gap-2.5">
          {findings.map(({ code, severity, message, inB }) => (
            <li key={`${code} ${message}`} className="grid gap-1">
              <p className="flex flex-wrap items-center gap-2">
                <Badge tone={SEVERITY_TONES[severity]}>{severity}</Badge>
                {inB !== undefined && inB !== severity && (
                  <>
                    <span className="text-small text-ink-2">in B</span>
                    <Badge tone={SEVERITY_TONES[inB]}>{inB}</Badge>
                  </>
                )}
                <code className="text-tiny font-medium [overflow-wrap:anywhere]">{code}</code>
              </p>
              <p className="text-small text-ink-2">{message}</p>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
