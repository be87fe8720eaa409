CREATE TABLE "agents" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"client_info" text NOT NULL,
	"email" text,
	"token_hash" text NOT NULL,
	"owner_id" text,
	"receiving_address" text,
	"linked_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"deleted_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "signing_keys" (
	"kid" text PRIMARY KEY NOT NULL,
	"public_jwk" jsonb NOT NULL,
	"sealed_key" text NOT NULL,
	"published_at" timestamp (3) with time zone NOT NULL,
	"active_from" timestamp (3) with time zone NOT NULL,
	"retired_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "mandates" (
	"id" text PRIMARY KEY NOT NULL,
	"agent_id" uuid NOT NULL,
	"owner_id" text,
	"wallet_id" text,
	"network" text NOT NULL,
	"state" text NOT NULL,
	"is_enabled" boolean DEFAULT false NOT NULL,
	"natural_language" text NOT NULL,
	"category" text,
	"limit_amount" numeric(78,0) NOT NULL,
	"max_amount_per_payment" numeric(78,0),
	"spent_amount" numeric(78,0) DEFAULT 0 NOT NULL,
	"pending_amount" numeric(78,0) DEFAULT 0 NOT NULL,
	"valid_from" timestamp (3) with time zone NOT NULL,
	"valid_until" timestamp (3) with time zone NOT NULL,
	"host_allowlist" text[],
	"token_hash" text NOT NULL,
	"mandate_hash" text,
	"signature" text,
	"signed_at" timestamp (3) with time zone,
	"revision" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "mandates_within_limit" CHECK (spent_amount >= 0 and pending_amount >= 0 and spent_amount + pending_amount <= limit_amount),
	CONSTRAINT "mandates_signed" CHECK (state <> 'signed' or (signature is not null and wallet_id is not null and owner_id is not null))
);
--> statement-breakpoint
CREATE TABLE "owners" (
	"id" text PRIMARY KEY NOT NULL,
	"address" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_sign_in_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "owners_address" UNIQUE("address")
);
--> statement-breakpoint
CREATE TABLE "siwe_nonces" (
	"nonce" text PRIMARY KEY NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"id" text PRIMARY KEY NOT NULL,
	"agent_id" uuid NOT NULL,
	"mandate_id" text,
	"wallet_id" text NOT NULL,
	"network" text NOT NULL,
	"status" text NOT NULL,
	"asset" text NOT NULL,
	"payer" text NOT NULL,
	"payee" text NOT NULL,
	"amount" numeric(78,0) NOT NULL,
	"nonce" text NOT NULL,
	"valid_after" numeric(78,0) NOT NULL,
	"valid_before" numeric(78,0) NOT NULL,
	"host" text NOT NULL,
	"resource" text NOT NULL,
	"description" text NOT NULL,
	"tx_hash" text,
	"block_number" bigint,
	"created_at" timestamp (3) with time zone NOT NULL,
	"settled_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "events" (
	"id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"owner_id" text,
	"agent_id" text,
	"subject" text NOT NULL,
	"meta" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "leases" (
	"name" text PRIMARY KEY NOT NULL,
	"holder" text NOT NULL,
	"fence" bigint NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "chain_blocks" (
	"network" text NOT NULL,
	"number" bigint NOT NULL,
	"hash" text NOT NULL,
	CONSTRAINT "chain_blocks_network_number_pk" PRIMARY KEY("network","number")
);
--> statement-breakpoint
CREATE TABLE "chain_cursors" (
	"network" text PRIMARY KEY NOT NULL,
	"block_number" bigint NOT NULL,
	"block_hash" text NOT NULL,
	"block_time" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ledger_entries" (
	"network" text NOT NULL,
	"payer" text NOT NULL,
	"nonce" text NOT NULL,
	"kind" text NOT NULL,
	"tx_hash" text NOT NULL,
	"block_number" bigint NOT NULL,
	"block_hash" text NOT NULL,
	"account" text NOT NULL,
	"side" text NOT NULL,
	"turn" integer NOT NULL,
	"amount" numeric(78,0) NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "ledger_entries_network_payer_nonce_kind_block_hash_side_turn_pk" PRIMARY KEY("network","payer","nonce","kind","block_hash","side","turn"),
	CONSTRAINT "ledger_entries_signs" CHECK ((side = 'debit') = ((amount < 0) = (kind = 'transfer')))
);
--> statement-breakpoint
CREATE TABLE "relayer_attempts" (
	"hash" text PRIMARY KEY NOT NULL,
	"network" text NOT NULL,
	"signer" text NOT NULL,
	"nonce" bigint NOT NULL,
	"raw" text NOT NULL,
	"max_fee_per_gas" bigint NOT NULL,
	"max_priority_fee_per_gas" bigint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"sent_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "relayer_transactions" (
	"network" text NOT NULL,
	"signer" text NOT NULL,
	"nonce" bigint NOT NULL,
	"to" text NOT NULL,
	"calldata" text NOT NULL,
	"gas_limit" bigint NOT NULL,
	"is_open" boolean DEFAULT true NOT NULL,
	"mined_block" bigint,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "relayer_transactions_network_signer_nonce_pk" PRIMARY KEY("network","signer","nonce")
);
--> statement-breakpoint
CREATE TABLE "relayers" (
	"network" text NOT NULL,
	"signer" text NOT NULL,
	"next_nonce" bigint NOT NULL,
	"paused_reason" text,
	CONSTRAINT "relayers_network_signer_pk" PRIMARY KEY("network","signer")
);
--> statement-breakpoint
CREATE TABLE "settlements" (
	"id" text PRIMARY KEY NOT NULL,
	"network" text NOT NULL,
	"asset" text NOT NULL,
	"payer" text NOT NULL,
	"nonce" text NOT NULL,
	"payee" text NOT NULL,
	"amount" numeric(78,0) NOT NULL,
	"valid_after" numeric(78,0) NOT NULL,
	"valid_before" numeric(78,0) NOT NULL,
	"signature" text NOT NULL,
	"purpose" text NOT NULL,
	"subject" text NOT NULL,
	"resource" text NOT NULL,
	"description" text NOT NULL,
	"state" text NOT NULL,
	"signer" text,
	"relayer_nonce" bigint,
	"claimed_at_block" bigint NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"retry_at" timestamp (3) with time zone,
	"failure_code" text,
	"is_late" boolean DEFAULT false NOT NULL,
	"tx_hash" text,
	"block_number" bigint,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "settlements_ended" CHECK ((state in ('settled', 'failed')) = (ended_at is not null)),
	CONSTRAINT "settlements_settled" CHECK (state <> 'settled' or (tx_hash is not null and block_number is not null)),
	CONSTRAINT "settlements_prepared" CHECK (state not in ('prepared', 'broadcast') or relayer_nonce is not null)
);
--> statement-breakpoint
CREATE TABLE "wallets" (
	"id" text PRIMARY KEY NOT NULL,
	"owner_id" text NOT NULL,
	"network" text NOT NULL,
	"purpose" text NOT NULL,
	"address" text NOT NULL,
	"sealed_key" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "wallets_address" UNIQUE("address")
);
--> statement-breakpoint
ALTER TABLE "agents" ADD CONSTRAINT "agents_owner_id_owners_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mandates" ADD CONSTRAINT "mandates_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mandates" ADD CONSTRAINT "mandates_owner_id_owners_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mandates" ADD CONSTRAINT "mandates_wallet_id_wallets_id_fk" FOREIGN KEY ("wallet_id") REFERENCES "public"."wallets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_mandate_id_mandates_id_fk" FOREIGN KEY ("mandate_id") REFERENCES "public"."mandates"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_wallet_id_wallets_id_fk" FOREIGN KEY ("wallet_id") REFERENCES "public"."wallets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "relayer_attempts" ADD CONSTRAINT "relayer_attempts_network_signer_nonce_relayer_transactions_network_signer_nonce_fk" FOREIGN KEY ("network","signer","nonce") REFERENCES "public"."relayer_transactions"("network","signer","nonce") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "relayer_transactions" ADD CONSTRAINT "relayer_transactions_network_signer_relayers_network_signer_fk" FOREIGN KEY ("network","signer") REFERENCES "public"."relayers"("network","signer") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallets" ADD CONSTRAINT "wallets_owner_id_owners_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "agents_owner" ON "agents" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "mandates_agent" ON "mandates" USING btree ("agent_id","created_at");--> statement-breakpoint
CREATE INDEX "mandates_owner" ON "mandates" USING btree ("owner_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "payments_authorization" ON "payments" USING btree ("network","payer","nonce");--> statement-breakpoint
CREATE INDEX "payments_agent" ON "payments" USING btree ("agent_id","created_at");--> statement-breakpoint
CREATE INDEX "payments_mandate" ON "payments" USING btree ("mandate_id","created_at");--> statement-breakpoint
CREATE INDEX "payments_status" ON "payments" USING btree ("network","status","valid_before");--> statement-breakpoint
CREATE INDEX "payments_block" ON "payments" USING btree ("network","block_number") WHERE block_number is not null;--> statement-breakpoint
CREATE INDEX "events_agent" ON "events" USING btree ("agent_id","created_at");--> statement-breakpoint
CREATE INDEX "events_owner" ON "events" USING btree ("owner_id","created_at");--> statement-breakpoint
CREATE INDEX "ledger_entries_account" ON "ledger_entries" USING btree ("account","created_at");--> statement-breakpoint
CREATE INDEX "relayer_attempts_nonce" ON "relayer_attempts" USING btree ("network","signer","nonce");--> statement-breakpoint
CREATE INDEX "relayer_transactions_open" ON "relayer_transactions" USING btree ("network","signer") WHERE is_open;--> statement-breakpoint
CREATE UNIQUE INDEX "settlements_authorization" ON "settlements" USING btree ("network","asset","payer","nonce");--> statement-breakpoint
CREATE INDEX "settlements_open" ON "settlements" USING btree ("network","created_at") WHERE state in ('claimed', 'prepared', 'broadcast');--> statement-breakpoint
CREATE INDEX "settlements_relayer" ON "settlements" USING btree ("network","signer","relayer_nonce");--> statement-breakpoint
CREATE INDEX "settlements_subject" ON "settlements" USING btree ("subject","created_at");--> statement-breakpoint
CREATE INDEX "settlements_payee" ON "settlements" USING btree ("payee","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "wallets_one_spending" ON "wallets" USING btree ("owner_id","network") WHERE purpose = 'spending';