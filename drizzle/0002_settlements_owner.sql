ALTER TABLE "settlements" ADD COLUMN "owner_id" text;--> statement-breakpoint
UPDATE "settlements" SET "owner_id" = coalesce(
  CASE WHEN "purpose" IN ('deposit', 'withdrawal', 'credits') THEN "subject" END,
  (SELECT r."owner_id" FROM "received_payments" r WHERE r."settlement_id" = "settlements"."id"),
  (SELECT w."owner_id" FROM "wallets" w WHERE w."address" = "payer" LIMIT 1)
);
