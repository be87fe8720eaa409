DROP INDEX "events_agent";--> statement-breakpoint
DROP INDEX "events_owner";--> statement-breakpoint
CREATE INDEX "events_owner_agent" ON "events" USING btree ("owner_id","agent_id","created_at","id") WHERE "events"."owner_id" is not null;--> statement-breakpoint
CREATE INDEX "events_unowned" ON "events" USING btree ("agent_id","created_at","id") WHERE "events"."owner_id" is null;--> statement-breakpoint
CREATE INDEX "events_owner" ON "events" USING btree ("owner_id","created_at","id");