ALTER TABLE "refunds" ADD COLUMN "voided_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "settlements_failed_refunds" ON "settlements" USING btree ("network","valid_before") WHERE purpose = 'refund' and state = 'failed';--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_voided" CHECK (voided_at is null or settlement_id is not null);--> statement-breakpoint
-- What was told to have failed, and has run out, stays told so.
UPDATE "refunds" SET "voided_at" = "settlements"."ended_at" FROM "settlements"
WHERE "settlements"."id" = "refunds"."settlement_id" AND "settlements"."state" = 'failed'
  AND "settlements"."valid_before" < extract(epoch from now());
