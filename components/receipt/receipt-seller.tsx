import { SellerCard, SupportContact } from "@/components/sellers/seller-card";
import { Card } from "@/components/ui/card";
import type { ProfileView } from "@/lib/sellers/profile/contract";

/** Who was paid, if the seller shows anything of themselves. */
export function ReceiptSeller({ profile, seed }: { profile: ProfileView; seed: string }) {
  if (profile.name === null && profile.domain === null && profile.support === null) return null;
  return (
    <Card aria-label="Seller" className="grid gap-3">
      <SellerCard profile={profile} agentName="No name given" seed={seed} />
      {profile.support !== null && (
        <p className="text-small text-ink-2">
          Questions to the seller: <SupportContact contact={profile.support} />
        </p>
      )}
    </Card>
  );
}
