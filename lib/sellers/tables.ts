import { index, pgTable, text, unique } from "drizzle-orm/pg-core";
import type { DomainId, OwnerId } from "@/lib/core/ids";
import type { ImageType } from "@/lib/core/images/image";
import { owners } from "@/lib/owners/tables";
import { bytea, moment } from "@/lib/platform/columns";

/** A domain that an owner wants to verify or has verified. Several owners may verify the same domain, each with their own token. */
export const sellerDomains = pgTable(
  "seller_domains",
  {
    id: text("id").$type<DomainId>().primaryKey(),
    ownerId: text("owner_id")
      .$type<OwnerId>()
      .notNull()
      .references(() => owners.id),
    /** Scheme, host and port, in the form of URL.origin. */
    origin: text("origin").notNull(),
    /** The token that the owner publishes there. Not a secret. */
    token: text("token").notNull(),
    /** Null until the domain is verified, and again once the proof has been missing for a week. */
    verifiedAt: moment("verified_at"),
    /** When the proof was last checked. */
    checkedAt: moment("checked_at"),
    /** Since when the proof of a verified domain is missing. */
    missingSince: moment("missing_since"),
    createdAt: moment("created_at").notNull(),
  },
  (t) => [unique("seller_domains_origin").on(t.ownerId, t.origin), index("seller_domains_due").on(t.checkedAt)],
);

/** A logo under the SHA-256 of its bytes, in hex. */
export const sellerLogos = pgTable("seller_logos", {
  id: text("id").primaryKey(),
  type: text("type").$type<ImageType>().notNull(),
  bytes: bytea("bytes").notNull(),
  createdAt: moment("created_at").notNull(),
});

/** What buyers see of an owner. */
export const sellerProfiles = pgTable(
  "seller_profiles",
  {
    ownerId: text("owner_id")
      .$type<OwnerId>()
      .primaryKey()
      .references(() => owners.id),
    name: text("name"),
    support: text("support"),
    logoId: text("logo_id").references(() => sellerLogos.id),
    updatedAt: moment("updated_at").notNull(),
  },
  (t) => [index("seller_profiles_logo").on(t.logoId)],
);
