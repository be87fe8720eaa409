CREATE TABLE "payment_links" (
	"link_id" text PRIMARY KEY NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "payment_links_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"agent_id" uuid NOT NULL,
	"amount" numeric(78,0) NOT NULL,
	"network" text NOT NULL,
	"description" text NOT NULL,
	"resource_content" text,
	"redirect_url" text,
	"status" text NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"max_uses" integer,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "payment_links_id_unique" UNIQUE("id"),
	CONSTRAINT "payment_links_amount" CHECK (amount > 0),
	CONSTRAINT "payment_links_uses" CHECK (max_uses > 0)
);
--> statement-breakpoint
CREATE TABLE "received_payments" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "received_payments_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"settlement_id" text NOT NULL,
	"agent_id" uuid NOT NULL,
	"source" text NOT NULL,
	"link_id" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "received_payments_settlement_id_unique" UNIQUE("settlement_id"),
	CONSTRAINT "received_payments_source" CHECK ((source = 'payment_link') = (link_id is not null))
);
--> statement-breakpoint
ALTER TABLE "settlements" ADD COLUMN "agent_id" uuid;--> statement-breakpoint
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "received_payments" ADD CONSTRAINT "received_payments_settlement_id_settlements_id_fk" FOREIGN KEY ("settlement_id") REFERENCES "public"."settlements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "received_payments" ADD CONSTRAINT "received_payments_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "received_payments" ADD CONSTRAINT "received_payments_link_id_payment_links_link_id_fk" FOREIGN KEY ("link_id") REFERENCES "public"."payment_links"("link_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payment_links_agent" ON "payment_links" USING btree ("agent_id","id");--> statement-breakpoint
CREATE INDEX "received_payments_agent" ON "received_payments" USING btree ("agent_id","id");--> statement-breakpoint
CREATE INDEX "received_payments_link" ON "received_payments" USING btree ("link_id","id");--> statement-breakpoint
CREATE INDEX "settlements_agent" ON "settlements" USING btree ("agent_id","created_at");--> statement-breakpoint
UPDATE "settlements" SET "agent_id" = "subject"::uuid WHERE "purpose" = 'upl' AND "subject" IN (SELECT "id"::text FROM "agents");--> statement-breakpoint
INSERT INTO "received_payments" ("settlement_id", "agent_id", "source", "created_at") SELECT "id", "agent_id", 'upl', "created_at" FROM "settlements" WHERE "agent_id" IS NOT NULL ORDER BY "created_at", "id";
