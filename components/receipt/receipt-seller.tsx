import { SellerCard, SupportContact } from "@/components/sellers/seller-card";
import type { ReceiptTexts } from "@/components/texts/en/receipt";
import { filled } from "@/components/texts/filled";
import { Card } from "@/components/ui/card";
import type { ProfileView } from "@/lib/sellers/profile/contract";

type ReceiptSellerProps = { profile: ProfileView; seed: string; texts: ReceiptTexts };

/** The seller's profile. Renders nothing if the seller has not published one. */
export function ReceiptSeller({ profile, seed, texts }: ReceiptSellerProps) {
  if (profile.name === null && profile.domain === null && profile.support === null) return null;
  return (
    <Card aria-label={texts.sellerLabel} className="grid gap-3">
      <SellerCard profile={profile} agentName={texts.noName} seed={seed} texts={texts} />
      {profile.support !== null && (
        <p className="text-small text-ink-2">
          {filled(texts.questions, { contact: <SupportContact contact={profile.support} /> })}
        </p>
      )}
    </Card>
  );
}
