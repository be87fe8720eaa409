ALTER TABLE "received_payments" ADD COLUMN "content" text;--> statement-breakpoint
UPDATE "received_payments" SET "content" = "payment_links"."resource_content" FROM "payment_links" WHERE "payment_links"."link_id" = "received_payments"."link_id";
