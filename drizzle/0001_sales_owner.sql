ALTER TABLE "received_payments" ADD COLUMN "owner_id" text NOT NULL;--> statement-breakpoint
ALTER TABLE "received_payments" ADD CONSTRAINT "received_payments_owner_id_owners_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "received_payments_owner" ON "received_payments" USING btree ("owner_id","id");--> statement-breakpoint
CREATE INDEX "received_payments_owner_time" ON "received_payments" USING btree ("owner_id","created_at");