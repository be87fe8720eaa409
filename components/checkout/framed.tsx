import { Disclosure } from "@/components/ui/disclosure";
import { type CheckoutProps, Offer, Terms } from "./checkout";
import { Closed } from "./closed";
import { Framed } from "./frame";
import { LinkPanel } from "./link-panel";
import { PhoneWay } from "./other-ways";

export type FramedCheckoutProps = Omit<CheckoutProps, "example" | "required"> & { origins: readonly string[] };

/** The compact checkout for frames. Omits the instructions for agents and any link that would navigate the frame. */
export function FramedCheckout({
  view,
  profile,
  prefilled,
  mode,
  onrampUrl,
  texts: translation,
  origins,
}: FramedCheckoutProps) {
  const { unavailableReason } = view;
  return (
    <Framed linkId={view.linkId} origins={origins}>
      <div className="mx-auto grid w-full max-w-110 grid-cols-1 gap-5">
        <Offer view={view} profile={profile} texts={translation} />
        <LinkPanel
          view={view}
          prefilled={prefilled}
          mode={mode}
          onrampUrl={onrampUrl}
          phone={<PhoneWay url={view.url} texts={translation.texts} opensTab />}
          agent={null}
          closed={unavailableReason && <Closed view={view} reason={unavailableReason} texts={translation.texts} />}
        />
        <Disclosure summary={translation.texts.terms}>
          <Terms view={{ ...view, cancelUrl: null }} support={profile?.support ?? null} texts={translation} />
        </Disclosure>
      </div>
    </Framed>
  );
}
