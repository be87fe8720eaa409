import { Note } from "@/components/ui/note";
import { Developers } from "./developers";
import { Hero } from "./hero";
import { HowItWorks } from "./how";
import { Trust } from "./trust";

export type HomeProps = { baseUrl: string; isDevnet: boolean; now: Date };

/** The front page: what Tessera is, for whom, what it can cost, and the first steps. */
export const Home = ({ baseUrl, isDevnet, now }: HomeProps) => (
  <main
    id="main"
    tabIndex={-1}
    className="mx-auto grid w-full max-w-280 grid-cols-1 gap-14 px-5 pt-4 pb-16 sm:pt-8 lg:gap-20"
  >
    <Hero now={now} />
    {isDevnet && <TryIt />}
    <HowItWorks />
    <Trust />
    <Developers baseUrl={baseUrl} />
  </main>
);

const TryIt = () => (
  <Note tone="neutral" title="Try it here" className="[&_a]:underline [&_a]:underline-offset-4">
    This is a local devnet with test money. The commands below print a link to sign: open it and choose the test wallet,
    which lives in this browser. Where money is missing, buttons on that page and in{" "}
    <a href="/dashboard/wallet">your wallet</a> add test USDC.
  </Note>
);
