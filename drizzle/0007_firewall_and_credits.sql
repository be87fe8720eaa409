CREATE TABLE "credit_balances" (
	"owner_id" text PRIMARY KEY NOT NULL,
	"balance" numeric(38,0) NOT NULL
);
--> statement-breakpoint
CREATE TABLE "credit_postings" (
	"transaction_id" text NOT NULL,
	"account" text NOT NULL,
	"amount" numeric(38,0) NOT NULL,
	CONSTRAINT "credit_postings_transaction_id_account_pk" PRIMARY KEY("transaction_id","account")
);
--> statement-breakpoint
CREATE TABLE "credit_transactions" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"owner_id" text NOT NULL,
	"settlement_id" text,
	"payment_id" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "credit_transactions_payment_id_unique" UNIQUE("payment_id"),
	CONSTRAINT "credit_transactions_cause" CHECK ((kind = 'spend') = (payment_id is not null)),
	CONSTRAINT "credit_transactions_purchase" CHECK ((kind = 'spend') = (settlement_id is null))
);
--> statement-breakpoint
CREATE TABLE "firewall_scans" (
	"scan_id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"body_hash" text NOT NULL,
	"agent_id" uuid,
	"settlement_id" text,
	"payment_id" text,
	"verdict" text NOT NULL,
	"risk_score" integer NOT NULL,
	"codes" text[] NOT NULL,
	"ruleset_version" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "firewall_scans_settlement_id_unique" UNIQUE("settlement_id"),
	CONSTRAINT "firewall_scans_payment_id_unique" UNIQUE("payment_id"),
	CONSTRAINT "firewall_scans_paid" CHECK ((settlement_id is null) <> (payment_id is null))
);
--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "payment_scan" text DEFAULT 'off' NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "credit_payee" text;--> statement-breakpoint
ALTER TABLE "credit_balances" ADD CONSTRAINT "credit_balances_owner_id_owners_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credit_postings" ADD CONSTRAINT "credit_postings_transaction_id_credit_transactions_id_fk" FOREIGN KEY ("transaction_id") REFERENCES "public"."credit_transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credit_transactions" ADD CONSTRAINT "credit_transactions_owner_id_owners_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credit_transactions" ADD CONSTRAINT "credit_transactions_settlement_id_settlements_id_fk" FOREIGN KEY ("settlement_id") REFERENCES "public"."settlements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credit_transactions" ADD CONSTRAINT "credit_transactions_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "firewall_scans" ADD CONSTRAINT "firewall_scans_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "firewall_scans" ADD CONSTRAINT "firewall_scans_settlement_id_settlements_id_fk" FOREIGN KEY ("settlement_id") REFERENCES "public"."settlements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "firewall_scans" ADD CONSTRAINT "firewall_scans_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "credit_postings_account" ON "credit_postings" USING btree ("account");--> statement-breakpoint
CREATE INDEX "credit_transactions_owner" ON "credit_transactions" USING btree ("owner_id","created_at","id");--> statement-breakpoint
CREATE INDEX "credit_transactions_settlement" ON "credit_transactions" USING btree ("settlement_id");--> statement-breakpoint
CREATE INDEX "firewall_scans_agent" ON "firewall_scans" USING btree ("agent_id","created_at","scan_id");