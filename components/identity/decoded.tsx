import { JsonView } from "@/components/ui/json-view";

export type DecodedProps = {
  /** Distinguishes two of them on one page: "issued", "pasted". */
  of: string;
  header: unknown;
  claims: unknown;
  /** The signature is invalid: anybody may have written the text. */
  isUnproven?: boolean | undefined;
};

/** The two readable parts of a credential. */
export function Decoded({ of: source, header, claims, isUnproven = false }: DecodedProps) {
  const aside = isUnproven && <span className="font-normal text-ink-2"> · anybody may have written this</span>;
  return (
    <>
      <div className="grid min-w-0 gap-1.5">
        <h3 className="text-small font-medium">Header{aside}</h3>
        <JsonView value={header} label={`the ${source} header`} />
      </div>
      <div className="grid min-w-0 gap-1.5">
        <h3 className="text-small font-medium">Payload{aside}</h3>
        <JsonView value={claims} label={`the ${source} payload`} />
      </div>
    </>
  );
}
