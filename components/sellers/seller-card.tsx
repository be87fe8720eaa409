import { BadgeCheck } from "lucide-react";
import { filled } from "@/components/texts/filled";
import type { Template } from "@/components/texts/template";
import { Tile } from "@/components/ui/tile";
import type { ProfileView } from "@/lib/sellers/profile/contract";
import { supportHref } from "@/lib/sellers/profile/support";

export type SellerCardProps = {
  /** Null while the agent has no owner. */
  profile: ProfileView | null;
  /** Used if the profile has no name. */
  agentName: string;
  seed: string;
  texts: { seller: string; quotedName: Template<"name">; verifiedDomain: Template<"domain"> };
};

/** The seller, as on checkouts and receipts. The name and the logo are untrusted; the domain is proved. */
export function SellerCard({ profile, agentName, seed, texts }: SellerCardProps) {
  const name = profile?.name ?? agentName;
  return (
    <div className="flex min-w-0 items-center gap-3">
      {profile?.logoUrl ? (
        // biome-ignore lint/performance/noImgElement: our own route serves it, and needs no second encoding
        <img src={profile.logoUrl} alt="" width={40} height={40} className="size-10 rounded-control object-contain" />
      ) : (
        <Tile seed={seed} size={40} />
      )}
      <div className="min-w-0">
        <p className="text-small text-ink-2">{texts.seller}</p>
        <p className="font-medium [overflow-wrap:anywhere]">{filled(texts.quotedName, { name: <bdi>{name}</bdi> })}</p>
        {profile?.domain != null && (
          <p className="flex items-center gap-1 text-small text-good">
            <BadgeCheck aria-hidden className="size-4 shrink-0" />
            <span className="min-w-0 [overflow-wrap:anywhere]">
              {filled(texts.verifiedDomain, { domain: <bdi>{profile.domain}</bdi> })}
            </span>
          </p>
        )}
      </div>
    </div>
  );
}

/** A contact link whose text is its complete target: nobody is sent to a host that they did not read. */
export function SupportContact({ contact }: { contact: string }) {
  const href = supportHref(contact);
  if (href === null) return null;
  return (
    <a
      href={href}
      rel="noopener noreferrer nofollow"
      target={href.startsWith("https:") ? "_blank" : undefined}
      className="underline underline-offset-4 [overflow-wrap:anywhere]"
    >
      <bdi>{contact}</bdi>
    </a>
  );
}
