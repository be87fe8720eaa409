ALTER TABLE "received_payments" ADD COLUMN "owner_id" text;--> statement-breakpoint
UPDATE "received_payments" SET "owner_id" = coalesce(
  (SELECT w."owner_id" FROM "settlements" s JOIN "wallets" w ON w."address" = s."payee" WHERE s."id" = "settlement_id" LIMIT 1),
  (SELECT a."owner_id" FROM "agents" a WHERE a."id" = "agent_id")
);--> statement-breakpoint
ALTER TABLE "received_payments" ALTER COLUMN "owner_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "received_payments" ADD CONSTRAINT "received_payments_owner_id_owners_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "received_payments_owner" ON "received_payments" USING btree ("owner_id","id");--> statement-breakpoint
CREATE INDEX "received_payments_owner_time" ON "received_payments" USING btree ("owner_id","created_at");