CREATE TABLE "payout_addresses" (
	"owner_id" text NOT NULL,
	"address" text NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payout_addresses_owner_id_address_pk" PRIMARY KEY("owner_id","address")
);
--> statement-breakpoint
CREATE TABLE "payout_legs" (
	"payout" text NOT NULL,
	"index" integer NOT NULL,
	"to_address" text NOT NULL,
	"amount" numeric(78,0) NOT NULL,
	"share_bps" integer,
	"settlement_id" text,
	"state" text DEFAULT 'open' NOT NULL,
	"block_number" bigint,
	CONSTRAINT "payout_legs_payout_index_pk" PRIMARY KEY("payout","index"),
	CONSTRAINT "payout_legs_settlement" UNIQUE("settlement_id"),
	CONSTRAINT "payout_legs_amount" CHECK (amount > 0),
	CONSTRAINT "payout_legs_state" CHECK ((state = 'open') = (block_number is null)),
	CONSTRAINT "payout_legs_claim" CHECK (settlement_id is not null or state = 'open')
);
--> statement-breakpoint
CREATE TABLE "payouts" (
	"id" text PRIMARY KEY NOT NULL,
	"payout_id" text NOT NULL,
	"agent_id" uuid,
	"owner_id" text,
	"network" text NOT NULL,
	"amount" numeric(78,0) NOT NULL,
	"mandate_id" text,
	"biz_id" text,
	"description" text NOT NULL,
	"fingerprint" text NOT NULL,
	"wallet_id" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"approved_at" timestamp (3) with time zone,
	"denied_at" timestamp (3) with time zone,
	"cancelled_at" timestamp (3) with time zone,
	"started_at" timestamp (3) with time zone,
	"succeeded_at" timestamp (3) with time zone,
	"failed_at" timestamp (3) with time zone,
	CONSTRAINT "payouts_amount" CHECK (amount > 0),
	CONSTRAINT "payouts_maker" CHECK (agent_id is not null or owner_id is not null),
	CONSTRAINT "payouts_approved" CHECK ((wallet_id is null) = (approved_at is null)),
	CONSTRAINT "payouts_owned" CHECK (approved_at is null or owner_id is not null),
	CONSTRAINT "payouts_once" CHECK (num_nonnulls(approved_at, denied_at, cancelled_at) <= 1),
	CONSTRAINT "payouts_ended" CHECK (num_nonnulls(succeeded_at, failed_at) <= (approved_at is not null)::int)
);
--> statement-breakpoint
ALTER TABLE "settlements" ADD COLUMN "group_id" text;--> statement-breakpoint
ALTER TABLE "payout_addresses" ADD CONSTRAINT "payout_addresses_owner_id_owners_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_legs" ADD CONSTRAINT "payout_legs_payout_payouts_id_fk" FOREIGN KEY ("payout") REFERENCES "public"."payouts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_legs" ADD CONSTRAINT "payout_legs_settlement_id_settlements_id_fk" FOREIGN KEY ("settlement_id") REFERENCES "public"."settlements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_owner_id_owners_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_mandate_id_mandates_id_fk" FOREIGN KEY ("mandate_id") REFERENCES "public"."mandates"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_wallet_id_wallets_id_fk" FOREIGN KEY ("wallet_id") REFERENCES "public"."wallets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "payout_legs_address" ON "payout_legs" USING btree ("payout","to_address");--> statement-breakpoint
CREATE INDEX "payout_legs_to" ON "payout_legs" USING btree ("to_address");--> statement-breakpoint
CREATE INDEX "payout_legs_claimed" ON "payout_legs" USING btree ("state") WHERE state = 'open' and settlement_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "payouts_of_agent" ON "payouts" USING btree ("agent_id","payout_id") WHERE agent_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "payouts_of_owner" ON "payouts" USING btree ("owner_id","payout_id") WHERE agent_id is null;--> statement-breakpoint
CREATE INDEX "payouts_name" ON "payouts" USING btree ("payout_id");--> statement-breakpoint
CREATE INDEX "payouts_agent" ON "payouts" USING btree ("agent_id","created_at");--> statement-breakpoint
CREATE INDEX "payouts_owner" ON "payouts" USING btree ("owner_id","created_at");--> statement-breakpoint
CREATE INDEX "payouts_mandate" ON "payouts" USING btree ("mandate_id");--> statement-breakpoint
CREATE INDEX "payouts_unfinished" ON "payouts" USING btree ("approved_at") WHERE approved_at is not null and succeeded_at is null and failed_at is null;--> statement-breakpoint
CREATE INDEX "settlements_group" ON "settlements" USING btree ("group_id") WHERE group_id is not null;