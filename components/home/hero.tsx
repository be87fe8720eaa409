import { Check } from "lucide-react";
import { ButtonLink } from "@/components/ui/button-link";
import { SigningPicture } from "./picture";

const POINTS = [
  "You set the most you can lose, and sign it with your own wallet",
  "Your agent pays in USDC on Base, without asking again within those limits",
  "Pause or revoke at any time, and take back what is left",
] as const;

/** What this is, in one screen. */
export const Hero = ({ now }: { now: Date }) => (
  <div className="grid items-center gap-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,27rem)] lg:gap-14">
    <div className="grid min-w-0 gap-6">
      <h1 className="max-w-[17ch] text-[clamp(2rem,7vw,2.75rem)] leading-[1.08] tracking-[-0.03em]">
        A wallet for your agents, with limits that you sign
      </h1>
      <p className="max-w-[52ch] text-[1.0625rem] leading-relaxed text-ink-2">
        An agent asks you for a budget: how much, until when, and whom it may pay. You read it, narrow it and sign it
        once. From then on it pays within those limits, and cannot widen them.
      </p>
      <ul className="grid gap-2.5 text-control">
        {POINTS.map((point) => (
          <li key={point} className="flex gap-2.5">
            <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-brand" />
            {point}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2.5">
        <ButtonLink variant="primary" href="/dashboard">
          Open dashboard
        </ButtonLink>
        <ButtonLink href="/docs">Documentation</ButtonLink>
      </div>
    </div>
    <SigningPicture now={now} />
  </div>
);
