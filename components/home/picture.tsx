import { Steps } from "@/components/mandates/steps";
import { RequestCard } from "@/components/mandates/terms";
import { signLabel } from "@/components/mandates/vaults/words";
import { REVIEW_TITLE } from "@/components/mandates/words";
import { Button } from "@/components/ui/button";
import { usdcText } from "@/components/ui/format";
import { WRAPPED } from "@/components/ui/wrapped";
import { exampleMandate } from "./example";

/** The signing page, drawn by its own components for an example. Nothing in it can be pressed. */
export function SigningPicture({ now }: { now: Date }) {
  const mandate = exampleMandate(now);
  const { agentName, limitAmount, maxAmountPerPayment, hostAllowlist } = mandate;
  const cap = maxAmountPerPayment === null ? "" : ` and ${usdcText(maxAmountPerPayment)} per payment`;
  return (
    <figure className="min-w-0">
      <div
        role="img"
        aria-label={`The page on which you sign: ${agentName} asks for at most ${usdcText(limitAmount)} in total${cap}, at ${hostAllowlist.join(" and ")}`}
        className="rounded-card border bg-paper p-4 shadow-lift sm:p-5"
      >
        <div aria-hidden inert className="grid gap-4">
          <Steps current={3} />
          <div>
            <p className="mb-1 text-small text-ink-2">{agentName} asks for a budget</p>
            <p className="text-title font-bold">{REVIEW_TITLE}</p>
          </div>
          <RequestCard mandate={mandate} isPlaceOpen />
          <Button variant="primary" wide className={WRAPPED}>
            {signLabel("vault_now", limitAmount, limitAmount)}
          </Button>
        </div>
      </div>
      <figcaption className="mt-2.5 text-center text-tiny text-ink-2">
        The page on which you sign, with an example
      </figcaption>
    </figure>
  );
}
