import { usePayment } from "@/components/texts/context";
import { Qr } from "@/components/ui/qr";
import { type Missing, topUpUri } from "./top-up";

/** A QR code that transfers USDC to the buyer's own wallet. It does not pay the seller. */
export function TopUpCode(missing: Missing) {
  const texts = usePayment().texts.shortage;
  return (
    <div className="grid justify-items-center gap-3 pb-1">
      <Qr value={topUpUri(missing)} label={texts.scan} says={texts.code} />
      <p>
        <strong>{texts.notTheSeller}</strong> {texts.toYourself}
      </p>
    </div>
  );
}
