DROP INDEX "mandates_agent";--> statement-breakpoint
DROP INDEX "mandates_owner";--> statement-breakpoint
DROP INDEX "payouts_agent";--> statement-breakpoint
DROP INDEX "payouts_owner";--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "old_token_hash" text;--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "old_token_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "logins_from" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "bound_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "approvals_waiting" ON "approvals" USING btree ("agent_id","expires_at") WHERE approved_at is null and denied_at is null;--> statement-breakpoint
CREATE INDEX "mandates_agent_signed" ON "mandates" USING btree ("agent_id","created_at","id") WHERE state = 'signed';--> statement-breakpoint
CREATE INDEX "mandates_owner_signed" ON "mandates" USING btree ("owner_id","created_at","id") WHERE state = 'signed';--> statement-breakpoint
CREATE INDEX "mandates_owner_waiting" ON "mandates" USING btree ("owner_id","created_at","id") WHERE state in ('draft', 'pending_signature');--> statement-breakpoint
CREATE INDEX "mandates_agent_draft" ON "mandates" USING btree ("agent_id","created_at","id") WHERE owner_id is null;--> statement-breakpoint
CREATE INDEX "mandates_agent" ON "mandates" USING btree ("agent_id","created_at","id");--> statement-breakpoint
CREATE INDEX "mandates_owner" ON "mandates" USING btree ("owner_id","created_at","id");--> statement-breakpoint
CREATE INDEX "payouts_agent" ON "payouts" USING btree ("agent_id","created_at","id");--> statement-breakpoint
CREATE INDEX "payouts_owner" ON "payouts" USING btree ("owner_id","created_at","id");