ALTER TABLE "settlements" ADD COLUMN "group_id" text;--> statement-breakpoint
CREATE INDEX "settlements_group" ON "settlements" USING btree ("group_id") WHERE group_id is not null;