import figures from "@/packages/firewall/bench/figures.json";

/** Detection rates of the prompt scan on texts from sources outside its training data. */
export function LeftOut() {
  const { attacks, harmless } = figures.headline;
  return (
    <p className="mt-6 text-small text-ink-2">
      In texts from sources that its model has never seen, the prompt scan flags {attacks.toFixed(0)} % of recognisable
      attacks and {harmless.toFixed(1)} % of harmless texts. Other languages and role play are weaker.
    </p>
  );
}
