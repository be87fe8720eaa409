CREATE TABLE "approvals" (
	"id" text PRIMARY KEY NOT NULL,
	"agent_id" uuid NOT NULL,
	"network" text NOT NULL,
	"amount" numeric(78,0) NOT NULL,
	"payee" text NOT NULL,
	"host" text NOT NULL,
	"resource" text NOT NULL,
	"description" text NOT NULL,
	"window_seconds" integer NOT NULL,
	"token_hash" text NOT NULL,
	"wallet_id" text,
	"payment_id" text,
	"mandate_id" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"approved_at" timestamp (3) with time zone,
	"denied_at" timestamp (3) with time zone,
	CONSTRAINT "approvals_payment_id_unique" UNIQUE("payment_id"),
	CONSTRAINT "approvals_amount" CHECK (amount > 0),
	CONSTRAINT "approvals_approved" CHECK ((wallet_id is null) = (approved_at is null)),
	CONSTRAINT "approvals_used" CHECK (payment_id is null or (approved_at is not null and denied_at is null))
);
--> statement-breakpoint
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_wallet_id_wallets_id_fk" FOREIGN KEY ("wallet_id") REFERENCES "public"."wallets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_mandate_id_mandates_id_fk" FOREIGN KEY ("mandate_id") REFERENCES "public"."mandates"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "approvals_agent" ON "approvals" USING btree ("agent_id","created_at");