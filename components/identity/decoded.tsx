import { JsonView } from "@/components/ui/json-view";

export type DecodedProps = {
  /** Makes ids unique on the page: "issued", "pasted". */
  of: string;
  header: unknown;
  claims: unknown;
  /** True if the signature is invalid: anybody may have written the text. */
  isUnproven?: boolean | undefined;
};

/** The decoded header and claims of a credential. */
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
