import { Qr } from "@/components/ui/qr";
import { type Missing, topUpUri } from "./top-up";

/** Fills the buyer's own wallet. It pays nobody. */
export const TopUpCode = (missing: Missing) => (
  <div className="grid justify-items-center gap-3 pb-1">
    <Qr value={topUpUri(missing)} label="Scan it with a wallet that holds USDC" />
    <p>
      <strong>This does not pay the seller.</strong> It moves the missing USDC from the other wallet into the wallet
      that is connected here. Then pay with the button.
    </p>
  </div>
);
