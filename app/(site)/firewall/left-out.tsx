import cross from "@/packages/firewall/bench/cross.json";

/** Detection rates of the prompt scan on texts from sources outside its training data. */
export function LeftOut() {
  const { lines = [] } = cross.sections[0] ?? {};
  const [attacks, , , harmless] = lines.map(({ flagged, texts }) => (100 * flagged) / Math.max(1, texts));
  if (attacks === undefined || harmless === undefined) return null;
  return (
    <p className="mt-6 text-small text-ink-2">
      In texts from sources that its model has never seen, the prompt scan flags {attacks.toFixed(0)} % of recognisable
      attacks and {harmless.toFixed(1)} % of harmless texts. Other languages and role play are weaker.
    </p>
  );
}
