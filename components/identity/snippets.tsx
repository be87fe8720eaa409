import { Card } from "@/components/ui/card";
import { JsonView } from "@/components/ui/json-view";
import { Tabs } from "@/components/ui/tabs";

export type Snippet = { file: string; language: string; needs: string; code: string };
export type SnippetsProps = { snippets: readonly Snippet[] };

/** Verifiers to copy, each a complete file. */
export function Snippets({ snippets }: SnippetsProps) {
  return (
    <Card title="Verify in your service" className="grid gap-5 [&>header]:mb-0">
      <p className="measure text-control text-ink-2">
        Copy all of one verifier. It checks every rule. You add your audience, the challenge you gave the visitor, and
        the step that marks a challenge as used.
      </p>
      <Tabs
        label="Languages"
        tabs={snippets.map(({ file, language, needs, code }) => ({
          value: file,
          label: language,
          content: (
            <div className="grid gap-3">
              <p className="text-small text-ink-2">
                <code className="mono text-ink">{file}</code> · {needs}
              </p>
              <JsonView value={code} label={file} className="[&_pre]:whitespace-pre [&_section]:max-h-140" />
            </div>
          ),
        }))}
      />
    </Card>
  );
}
