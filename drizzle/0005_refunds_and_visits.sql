CREATE TABLE "link_refusals" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "link_refusals_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"link_id" text NOT NULL,
	"code" text NOT NULL,
	"payer" text,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "link_visits" (
	"link_id" text NOT NULL,
	"visit_id" text NOT NULL,
	"viewed_at" timestamp (3) with time zone NOT NULL,
	"connected_at" timestamp (3) with time zone,
	"signed_at" timestamp (3) with time zone,
	"payer" text,
	"nonce" text,
	CONSTRAINT "link_visits_link_id_visit_id_pk" PRIMARY KEY("link_id","visit_id"),
	CONSTRAINT "link_visits_signed" CHECK ((signed_at is null) = (nonce is null) and (nonce is null) = (payer is null))
);
--> statement-breakpoint
CREATE TABLE "refunds" (
	"refund_id" text PRIMARY KEY NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "refunds_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"payment_id" bigint NOT NULL,
	"agent_id" uuid NOT NULL,
	"amount" numeric(78,0) NOT NULL,
	"reason" text,
	"requested_by" text NOT NULL,
	"settlement_id" text,
	"cancelled_by" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"approved_at" timestamp (3) with time zone,
	"cancelled_at" timestamp (3) with time zone,
	CONSTRAINT "refunds_id_unique" UNIQUE("id"),
	CONSTRAINT "refunds_settlement_id_unique" UNIQUE("settlement_id"),
	CONSTRAINT "refunds_amount" CHECK (amount > 0),
	CONSTRAINT "refunds_approved" CHECK ((settlement_id is null) = (approved_at is null)),
	CONSTRAINT "refunds_cancelled" CHECK ((cancelled_by is null) = (cancelled_at is null)),
	CONSTRAINT "refunds_once" CHECK (settlement_id is null or cancelled_at is null)
);
--> statement-breakpoint
ALTER TABLE "link_refusals" ADD CONSTRAINT "link_refusals_link_id_payment_links_link_id_fk" FOREIGN KEY ("link_id") REFERENCES "public"."payment_links"("link_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "link_visits" ADD CONSTRAINT "link_visits_link_id_payment_links_link_id_fk" FOREIGN KEY ("link_id") REFERENCES "public"."payment_links"("link_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_payment_id_received_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."received_payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_settlement_id_settlements_id_fk" FOREIGN KEY ("settlement_id") REFERENCES "public"."settlements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "link_refusals_link" ON "link_refusals" USING btree ("link_id","id");--> statement-breakpoint
CREATE INDEX "link_visits_viewed" ON "link_visits" USING btree ("link_id","viewed_at");--> statement-breakpoint
CREATE INDEX "refunds_agent" ON "refunds" USING btree ("agent_id","id");--> statement-breakpoint
CREATE INDEX "refunds_payment" ON "refunds" USING btree ("payment_id");