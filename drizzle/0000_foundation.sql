CREATE TABLE "agents" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"client_info" text NOT NULL,
	"email" text,
	"token_hash" text NOT NULL,
	"old_token_hash" text,
	"old_token_until" timestamp (3) with time zone,
	"logins_from" timestamp (3) with time zone,
	"owner_id" text,
	"receiving_address" text,
	"payment_scan" text DEFAULT 'off' NOT NULL,
	"linked_at" timestamp (3) with time zone,
	"bound_at" timestamp (3) with time zone,
	"sold_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"deleted_at" timestamp (3) with time zone
);
--> statement-breakpoint
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
	"is_above_limit" boolean NOT NULL,
	"after_reservation" bigint,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"approved_at" timestamp (3) with time zone,
	"is_signed" boolean DEFAULT false NOT NULL,
	"denied_at" timestamp (3) with time zone,
	CONSTRAINT "approvals_payment_id_unique" UNIQUE("payment_id"),
	CONSTRAINT "approvals_amount" CHECK (amount > 0),
	CONSTRAINT "approvals_approved" CHECK ((wallet_id is null) = (approved_at is null)),
	CONSTRAINT "approvals_used" CHECK (payment_id is null or (approved_at is not null and denied_at is null))
);
--> statement-breakpoint
CREATE TABLE "refused_attempts" (
	"id" text PRIMARY KEY NOT NULL,
	"owner_id" text NOT NULL,
	"agent_id" uuid NOT NULL,
	"mandate_id" text,
	"reason" text NOT NULL,
	"host" text NOT NULL,
	"minute" timestamp (3) with time zone NOT NULL,
	"count" integer NOT NULL,
	"amount" numeric(78,0) NOT NULL,
	"network" text NOT NULL,
	"pay_to" text NOT NULL,
	"first_at" timestamp (3) with time zone NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "refused_attempts_minute" UNIQUE NULLS NOT DISTINCT("agent_id","mandate_id","reason","host","minute")
);
--> statement-breakpoint
CREATE TABLE "buyer_sign_ins" (
	"nonce" text PRIMARY KEY NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payment_identifiers" (
	"payer" text NOT NULL,
	"id_hash" text NOT NULL,
	"settlement_id" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payment_identifiers_payer_id_hash_pk" PRIMARY KEY("payer","id_hash"),
	CONSTRAINT "payment_identifiers_settlement_id_unique" UNIQUE("settlement_id")
);
--> statement-breakpoint
CREATE TABLE "approval_limits" (
	"owner_id" text PRIMARY KEY NOT NULL,
	"amount" numeric(78,0) NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "approval_limits_amount" CHECK (amount >= 0)
);
--> statement-breakpoint
CREATE TABLE "confirmations" (
	"id" text PRIMARY KEY NOT NULL,
	"owner_id" text NOT NULL,
	"action_hash" text NOT NULL,
	"typed_data" jsonb NOT NULL,
	"digest" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone,
	"signature" text,
	CONSTRAINT "confirmations_signed" CHECK ((used_at is null) = (signature is null))
);
--> statement-breakpoint
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
CREATE TABLE "facilitator_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"owner_id" text NOT NULL,
	"name" text NOT NULL,
	"secret_hash" text NOT NULL,
	"secret_start" text NOT NULL,
	"requests_per_minute" integer NOT NULL,
	"settlements_per_day" integer NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "facilitator_keys_secret" UNIQUE("secret_hash"),
	CONSTRAINT "facilitator_keys_limits" CHECK (requests_per_minute > 0 and settlements_per_day > 0)
);
--> statement-breakpoint
CREATE TABLE "facilitator_payments" (
	"settlement_id" text PRIMARY KEY NOT NULL,
	"key_id" text NOT NULL,
	"owner_id" text NOT NULL,
	"x402_version" smallint NOT NULL,
	"answered_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "facilitator_payments_version" CHECK (x402_version in (1, 2))
);
--> statement-breakpoint
CREATE TABLE "facilitator_usage" (
	"key_id" text PRIMARY KEY NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"count" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "facilitator_verifications" (
	"key_id" text NOT NULL,
	"network" text NOT NULL,
	"payer" text NOT NULL,
	"nonce" text NOT NULL,
	"waiting" integer NOT NULL,
	"read_to" bigint,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "facilitator_verifications_key_id_network_payer_nonce_pk" PRIMARY KEY("key_id","network","payer","nonce"),
	CONSTRAINT "facilitator_verifications_waiting" CHECK (waiting >= 0)
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
CREATE TABLE "signing_keys" (
	"kid" text PRIMARY KEY NOT NULL,
	"public_jwk" jsonb NOT NULL,
	"sealed_key" text NOT NULL,
	"published_at" timestamp (3) with time zone NOT NULL,
	"active_from" timestamp (3) with time zone NOT NULL,
	"retired_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "invoice_numbers" (
	"owner_id" text NOT NULL,
	"year" integer NOT NULL,
	"last" bigint NOT NULL,
	CONSTRAINT "invoice_numbers_owner_id_year_pk" PRIMARY KEY("owner_id","year")
);
--> statement-breakpoint
CREATE TABLE "invoices" (
	"invoice_id" text PRIMARY KEY NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "invoices_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"agent_id" uuid NOT NULL,
	"owner_id" text NOT NULL,
	"created_by" text NOT NULL,
	"link_id" text NOT NULL,
	"number" text NOT NULL,
	"network" text NOT NULL,
	"total" numeric(78,0) NOT NULL,
	"subtotal" numeric(78,0) NOT NULL,
	"seller_name" text NOT NULL,
	"seller_domain" text,
	"buyer_name" text NOT NULL,
	"buyer_email" text,
	"buyer_address" text,
	"seller_details" text,
	"lines" jsonb NOT NULL,
	"tax" jsonb,
	"note" text,
	"issue_date" date NOT NULL,
	"due_date" date NOT NULL,
	"is_payable_after_due" boolean NOT NULL,
	"cancelled_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "invoices_id_unique" UNIQUE("id"),
	CONSTRAINT "invoices_link_id_unique" UNIQUE("link_id"),
	CONSTRAINT "invoices_created_by" CHECK (created_by in ('agent', 'owner')),
	CONSTRAINT "invoices_total" CHECK (total > 0 and subtotal >= 0 and subtotal <= total),
	CONSTRAINT "invoices_due" CHECK (due_date >= issue_date)
);
--> statement-breakpoint
CREATE TABLE "ended_upstreams" (
	"link_id" text PRIMARY KEY NOT NULL,
	"upstream" jsonb NOT NULL,
	"sealed_upstream_headers" text,
	"ended_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "link_file_chunks" (
	"file_id" text NOT NULL,
	"place" integer NOT NULL,
	"bytes" "bytea" NOT NULL,
	CONSTRAINT "link_file_chunks_file_id_place_pk" PRIMARY KEY("file_id","place")
);
--> statement-breakpoint
CREATE TABLE "link_files" (
	"file_id" text PRIMARY KEY NOT NULL,
	"owner_id" text NOT NULL,
	"name" text NOT NULL,
	"bytes" integer NOT NULL,
	"sha256" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"completed_at" timestamp (3) with time zone,
	"unused_since" timestamp (3) with time zone,
	CONSTRAINT "link_files_complete" CHECK (completed_at is null or bytes > 0)
);
--> statement-breakpoint
CREATE TABLE "link_images" (
	"image_id" text PRIMARY KEY NOT NULL,
	"owner_id" text NOT NULL,
	"type" text NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"bytes" integer NOT NULL,
	"data" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"unused_since" timestamp (3) with time zone,
	CONSTRAINT "link_images_bytes" CHECK (bytes = octet_length(data) and bytes > 0)
);
--> statement-breakpoint
CREATE TABLE "link_listings" (
	"link_id" text PRIMARY KEY NOT NULL,
	"owner_id" text NOT NULL,
	"number" bigint NOT NULL,
	"sales" integer NOT NULL,
	"text" text NOT NULL
);
--> statement-breakpoint
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
CREATE TABLE "pass_calls" (
	"call_id" text PRIMARY KEY NOT NULL,
	"settlement_id" text NOT NULL,
	"units" numeric(78,0) NOT NULL,
	"busy_until" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "passes" (
	"settlement_id" text PRIMARY KEY NOT NULL,
	"link_id" text NOT NULL,
	"is_by_use" boolean NOT NULL,
	"units" numeric(78,0),
	"least_units" numeric(78,0) NOT NULL,
	"hours" integer,
	"is_refundable" boolean NOT NULL,
	"admitted" jsonb NOT NULL,
	"caller_hash" text NOT NULL,
	"units_taken" numeric(78,0) DEFAULT 0 NOT NULL,
	"units_failed" numeric(78,0) DEFAULT 0 NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"refund_transfers" text[] DEFAULT '{}' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "passes_limits" CHECK (num_nonnulls(units, hours) > 0 and coalesce(units, 1) > 0 and coalesce(hours, 1) > 0 and least_units > 0
        and (units is not null or not is_by_use)),
	CONSTRAINT "passes_taken" CHECK (units_taken >= 0 and units_failed >= 0 and (units is null or units_taken <= units))
);
--> statement-breakpoint
CREATE TABLE "payment_links" (
	"link_id" text PRIMARY KEY NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "payment_links_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"agent_id" uuid NOT NULL,
	"owner_id" text NOT NULL,
	"amount" numeric(78,0) NOT NULL,
	"network" text NOT NULL,
	"title" text,
	"description" text NOT NULL,
	"reference" text,
	"metadata" jsonb,
	"min_amount" numeric(78,0),
	"max_amount" numeric(78,0),
	"preset_amounts" numeric(78,0)[],
	"max_quantity" integer,
	"fields" jsonb,
	"disabled_message" text,
	"tax_note" text,
	"resource_content" text,
	"file" jsonb,
	"image" jsonb,
	"upstream" jsonb,
	"sealed_upstream_headers" text,
	"redirect_url" text,
	"cancel_url" text,
	"status" text NOT NULL,
	"is_listed" boolean DEFAULT false NOT NULL,
	"is_repeatable" boolean DEFAULT false NOT NULL,
	"invoice_id" text,
	"expires_at" timestamp (3) with time zone,
	"max_uses" integer,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "payment_links_id_unique" UNIQUE("id"),
	CONSTRAINT "payment_links_amount" CHECK (amount > 0),
	CONSTRAINT "payment_links_uses" CHECK (max_uses > 0),
	CONSTRAINT "payment_links_quantity" CHECK (max_quantity is null or (max_quantity > 1 and min_amount is null)),
	CONSTRAINT "payment_links_upstream" CHECK (upstream is not null or sealed_upstream_headers is null),
	CONSTRAINT "payment_links_range" CHECK ((min_amount is null) = (max_amount is null) and 0 < min_amount and min_amount <= amount and amount <= max_amount)
);
--> statement-breakpoint
CREATE TABLE "received_payments" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "received_payments_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"settlement_id" text NOT NULL,
	"agent_id" uuid NOT NULL,
	"owner_id" text NOT NULL,
	"source" text NOT NULL,
	"link_id" text,
	"content" text,
	"file" jsonb,
	"image" jsonb,
	"title" text,
	"tax_note" text,
	"quantity" integer,
	"answers" jsonb,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "received_payments_settlement_id_unique" UNIQUE("settlement_id"),
	CONSTRAINT "received_payments_source" CHECK ((source = 'payment_link') = (link_id is not null))
);
--> statement-breakpoint
CREATE TABLE "upstream_calls" (
	"settlement_id" text PRIMARY KEY NOT NULL,
	"link_id" text NOT NULL,
	"method" text NOT NULL,
	"path" text NOT NULL,
	"pattern" text NOT NULL,
	"fingerprint" text NOT NULL,
	"caller_hash" text NOT NULL,
	"tries_started" integer DEFAULT 0 NOT NULL,
	"busy_until" timestamp (3) with time zone,
	"status" integer,
	"failure" text,
	"milliseconds" integer,
	"answered_at" timestamp (3) with time zone,
	"sealed_answer" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "upstream_calls_answered" CHECK (case when answered_at is null then status is null or failure is not null else status is not null end)
);
--> statement-breakpoint
CREATE TABLE "mandates" (
	"id" text PRIMARY KEY NOT NULL,
	"agent_id" uuid NOT NULL,
	"owner_id" text,
	"wallet_id" text,
	"network" text NOT NULL,
	"state" text NOT NULL,
	"mode" text DEFAULT 'wallet' NOT NULL,
	"is_enabled" boolean DEFAULT false NOT NULL,
	"requested_by" text DEFAULT 'agent' NOT NULL,
	"natural_language" text NOT NULL,
	"category" text,
	"limit_amount" numeric(78,0) NOT NULL,
	"max_amount_per_payment" numeric(78,0),
	"spent_amount" numeric(78,0) DEFAULT 0 NOT NULL,
	"pending_amount" numeric(78,0) DEFAULT 0 NOT NULL,
	"max_amount_per_day" numeric(78,0),
	"max_amount_per_month" numeric(78,0),
	"charged_on" date,
	"day_amount" numeric(78,0) DEFAULT 0 NOT NULL,
	"month_amount" numeric(78,0) DEFAULT 0 NOT NULL,
	"valid_from" timestamp (3) with time zone NOT NULL,
	"valid_until" timestamp (3) with time zone NOT NULL,
	"host_allowlist" text[],
	"asked" jsonb,
	"confirm_payees" boolean,
	"vault_agent_key" text,
	"vault_payees" text[],
	"vault_release_amount" numeric(78,0),
	"vault_release_seconds" bigint,
	"replaces" text,
	"replaced_by" text,
	"token_hash" text NOT NULL,
	"mandate_hash" text,
	"signature" text,
	"signed_at" timestamp (3) with time zone,
	"revision" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "mandates_within_limit" CHECK (spent_amount >= 0 and pending_amount >= 0 and spent_amount + pending_amount <= limit_amount),
	CONSTRAINT "mandates_signed" CHECK (state <> 'signed' or (signature is not null and wallet_id is not null and owner_id is not null)),
	CONSTRAINT "mandates_replaced" CHECK (replaced_by is null or state = 'revoked'),
	CONSTRAINT "mandates_periods" CHECK (day_amount >= 0 and month_amount >= day_amount),
	CONSTRAINT "mandates_release" CHECK ((vault_release_amount is null) = (vault_release_seconds is null))
);
--> statement-breakpoint
CREATE TABLE "reservations" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "reservations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"mandate_id" text,
	"network" text NOT NULL,
	"payer" text NOT NULL,
	"nonce" text NOT NULL,
	"payee" text NOT NULL,
	"amount" numeric(78,0) NOT NULL,
	"valid_before" numeric(78,0) NOT NULL,
	"charged_on" date,
	"charged_hour" integer,
	"wallet_id" text NOT NULL,
	"agent_id" uuid,
	"state" text DEFAULT 'open' NOT NULL,
	"is_submitted" boolean DEFAULT false NOT NULL,
	"tx_hash" text,
	"block_number" bigint,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "reservations_ended" CHECK ((state = 'open') = (ended_at is null))
);
--> statement-breakpoint
CREATE TABLE "spending_caps" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "spending_caps_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"wallet_id" text NOT NULL,
	"agent_id" uuid,
	"max_amount_per_24_hours" numeric(78,0),
	"max_amount_per_30_days" numeric(78,0),
	"waiting_max" integer DEFAULT 0 NOT NULL,
	"hour" integer NOT NULL,
	"total" numeric(78,0) NOT NULL,
	"hours" numeric(78,0)[] NOT NULL,
	"days" numeric(78,0)[] NOT NULL,
	CONSTRAINT "spending_caps_set" CHECK (num_nonnulls(max_amount_per_24_hours, max_amount_per_30_days) > 0),
	CONSTRAINT "spending_caps_waiting" CHECK (waiting_max >= 0)
);
--> statement-breakpoint
CREATE TABLE "mails" (
	"id" text PRIMARY KEY NOT NULL,
	"owner_id" text NOT NULL,
	"email" text NOT NULL,
	"about" text NOT NULL,
	"subject" text NOT NULL,
	"body" text NOT NULL,
	"kind" text,
	"state" text NOT NULL,
	"quota" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"last_error" text,
	CONSTRAINT "mails_about" UNIQUE("owner_id","about")
);
--> statement-breakpoint
CREATE TABLE "notice_browsers" (
	"id" text PRIMARY KEY NOT NULL,
	"owner_id" text NOT NULL,
	"session_id" text,
	"device" text NOT NULL,
	"endpoint" text NOT NULL,
	"p256dh" text NOT NULL,
	"auth" text NOT NULL,
	"vapid_key" text NOT NULL,
	"kinds" text[] NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_error" text,
	CONSTRAINT "notice_browsers_endpoint" UNIQUE("endpoint")
);
--> statement-breakpoint
CREATE TABLE "notice_settings" (
	"owner_id" text PRIMARY KEY NOT NULL,
	"email" text,
	"confirmed_at" timestamp (3) with time zone,
	"kinds" text[] NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "pushes" (
	"id" text PRIMARY KEY NOT NULL,
	"browser_id" text NOT NULL,
	"about" text NOT NULL,
	"body" text NOT NULL,
	"is_urgent" boolean NOT NULL,
	"state" text NOT NULL,
	"quota" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"last_error" text,
	CONSTRAINT "pushes_about" UNIQUE("browser_id","about")
);
--> statement-breakpoint
CREATE TABLE "oauth_apps" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"redirect_uris" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"connected_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "oauth_connections" (
	"id" text PRIMARY KEY NOT NULL,
	"client_id" text NOT NULL,
	"app_name" text NOT NULL,
	"returns_to" text NOT NULL,
	"agent_id" uuid NOT NULL,
	"owner_id" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "oauth_tokens" (
	"hash" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"connection_id" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone,
	"code_challenge" text,
	"redirect_uri" text
);
--> statement-breakpoint
CREATE TABLE "owners" (
	"id" text PRIMARY KEY NOT NULL,
	"address" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_sign_in_at" timestamp (3) with time zone NOT NULL,
	"pays_only_listed" boolean DEFAULT false NOT NULL,
	CONSTRAINT "owners_address" UNIQUE("address")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"owner_id" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"user_agent" text NOT NULL,
	"revoked_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "siwe_nonces" (
	"nonce" text PRIMARY KEY NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payees" (
	"id" text PRIMARY KEY NOT NULL,
	"owner_id" text NOT NULL,
	"origin" text NOT NULL,
	"network" text NOT NULL,
	"payee" text NOT NULL,
	"agent_id" uuid NOT NULL,
	"mandate_id" text NOT NULL,
	"resource" text NOT NULL,
	"method" text NOT NULL,
	"amount" numeric(78,0) NOT NULL,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"why" text,
	"accepted" jsonb,
	"answer_hash" text,
	"previous_payee" text,
	"confirmed_by" text,
	"confirmed_at" timestamp (3) with time zone,
	"refused_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payees_confirmed" CHECK ((confirmed_by is null) = (confirmed_at is null)),
	CONSTRAINT "payees_evidence" CHECK ((accepted is null) = (answer_hash is null) and (accepted is null) = (why is not null)),
	CONSTRAINT "payees_by_host" CHECK (confirmed_by is distinct from 'host' or accepted is not null)
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"id" text PRIMARY KEY NOT NULL,
	"reservation_id" bigint NOT NULL,
	"agent_id" uuid NOT NULL,
	"mandate_id" text,
	"wallet_id" text NOT NULL,
	"asset" text NOT NULL,
	"credit_payee" text,
	"valid_after" numeric(78,0) NOT NULL,
	"host" text NOT NULL,
	"resource" text NOT NULL,
	"description" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payments_reservation_id_unique" UNIQUE("reservation_id")
);
--> statement-breakpoint
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
	CONSTRAINT "payout_legs_payout_index_pk" PRIMARY KEY("payout","index"),
	CONSTRAINT "payout_legs_settlement" UNIQUE("settlement_id"),
	CONSTRAINT "payout_legs_amount" CHECK (amount > 0)
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
	"is_signed" boolean DEFAULT false NOT NULL,
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
CREATE TABLE "event_outbox" (
	"position" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "event_outbox_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"event_id" text NOT NULL
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
CREATE TABLE "idempotent_requests" (
	"scope" text NOT NULL,
	"key_hash" text NOT NULL,
	"request_hash" text NOT NULL,
	"status" integer,
	"headers" jsonb,
	"sealed_body" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "idempotent_requests_scope_key_hash_pk" PRIMARY KEY("scope","key_hash")
);
--> statement-breakpoint
CREATE TABLE "leases" (
	"name" text PRIMARY KEY NOT NULL,
	"holder" text NOT NULL,
	"fence" bigint NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"worked_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" varchar(255) PRIMARY KEY NOT NULL,
	"points" integer DEFAULT 0 NOT NULL,
	"expire" bigint
);
--> statement-breakpoint
CREATE TABLE "service_secrets" (
	"name" text PRIMARY KEY NOT NULL,
	"sealed_key" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "purchases" (
	"id" text PRIMARY KEY NOT NULL,
	"agent_id" uuid NOT NULL,
	"key_hash" text NOT NULL,
	"request_hash" text NOT NULL,
	"payment_id" text,
	"sealed_approval" text,
	"sealed_proof" text,
	"sealed_answer" text,
	"pass_id" text,
	"bought_for" text,
	"answer_deleted_at" timestamp (3) with time zone,
	"last_status" integer,
	"held_until" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "purchases_payment_id_unique" UNIQUE("payment_id"),
	CONSTRAINT "purchases_bought_for_unique" UNIQUE("bought_for"),
	CONSTRAINT "purchases_key" UNIQUE("agent_id","key_hash"),
	CONSTRAINT "purchases_answer" CHECK (sealed_answer is null or answer_deleted_at is null),
	CONSTRAINT "purchases_pass" CHECK (pass_id is null or sealed_proof is null),
	CONSTRAINT "purchases_proof" CHECK ((payment_id is null) = (sealed_proof is null))
);
--> statement-breakpoint
CREATE TABLE "recoveries" (
	"id" text PRIMARY KEY NOT NULL,
	"owner_id" text NOT NULL,
	"wallet_id" text NOT NULL,
	"network" text NOT NULL,
	"token" text,
	"symbol" text,
	"decimals" integer,
	"to_address" text NOT NULL,
	"amount" numeric(78,0) NOT NULL,
	"nonce" integer NOT NULL,
	"gas" bigint NOT NULL,
	"state" text NOT NULL,
	"lacks_gas" boolean DEFAULT false NOT NULL,
	"tx_hash" text,
	"block_number" bigint,
	"received" numeric(78,0),
	"ended_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "recoveries_amount" CHECK (amount > 0),
	CONSTRAINT "recoveries_ended" CHECK ((state = 'sent') = (block_number is null) and (block_number is null) = (tx_hash is null))
);
--> statement-breakpoint
CREATE TABLE "recovery_attempts" (
	"hash" text PRIMARY KEY NOT NULL,
	"recovery_id" text NOT NULL,
	"raw" text NOT NULL,
	"amount" numeric(78,0) NOT NULL,
	"max_fee_per_gas" numeric(78,0) NOT NULL,
	"max_priority_fee_per_gas" numeric(78,0) NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "refunds" (
	"refund_id" text PRIMARY KEY NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "refunds_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"payment_id" bigint NOT NULL,
	"agent_id" uuid NOT NULL,
	"owner_id" text NOT NULL,
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
CREATE TABLE "denied_under_way" (
	"reservation_id" bigint PRIMARY KEY NOT NULL,
	"list" text NOT NULL,
	"found_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "listed_payees" (
	"owner_id" text NOT NULL,
	"list" text NOT NULL,
	"payee" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "listed_payees_owner_id_payee_list_pk" PRIMARY KEY("owner_id","payee","list")
);
--> statement-breakpoint
CREATE TABLE "payee_reports" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"address" text NOT NULL,
	"list" text NOT NULL,
	"reason" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "seller_domains" (
	"id" text PRIMARY KEY NOT NULL,
	"owner_id" text NOT NULL,
	"origin" text NOT NULL,
	"token" text NOT NULL,
	"verified_at" timestamp (3) with time zone,
	"checked_at" timestamp (3) with time zone,
	"missing_since" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "seller_domains_origin" UNIQUE("owner_id","origin")
);
--> statement-breakpoint
CREATE TABLE "seller_logos" (
	"id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"bytes" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "seller_profiles" (
	"owner_id" text PRIMARY KEY NOT NULL,
	"name" text,
	"support" text,
	"logo_id" text,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "cancellations" (
	"settlement_id" text PRIMARY KEY NOT NULL,
	"network" text NOT NULL,
	"signature" text NOT NULL,
	"state" text NOT NULL,
	"signer" text,
	"relayer_nonce" bigint,
	"attempts" integer DEFAULT 0 NOT NULL,
	"retry_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "cancellations_sent" CHECK (state <> 'sent' or (signer is not null and relayer_nonce is not null))
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
CREATE TABLE "payer_gas" (
	"network" text NOT NULL,
	"payer" text NOT NULL,
	"signer" text NOT NULL,
	"relayer_nonce" bigint NOT NULL,
	"gas" bigint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payer_gas_network_payer_signer_relayer_nonce_pk" PRIMARY KEY("network","payer","signer","relayer_nonce")
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
	"is_empty" boolean DEFAULT false NOT NULL,
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
	"signature_kind" text DEFAULT 'ecdsa' NOT NULL,
	"factory" text,
	"factory_calldata" text,
	"purpose" text NOT NULL,
	"subject" text NOT NULL,
	"agent_id" uuid,
	"owner_id" text,
	"group_id" text,
	"resource" text NOT NULL,
	"description" text NOT NULL,
	"state" text NOT NULL,
	"signer" text,
	"relayer_nonce" bigint,
	"claimed_at_block" bigint NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"last_error" text,
	"retry_at" timestamp (3) with time zone,
	"failure_code" text,
	"use_not_shown_at" timestamp (3) with time zone,
	"is_late" boolean DEFAULT false NOT NULL,
	"tx_hash" text,
	"block_number" bigint,
	"created_at" timestamp (3) with time zone NOT NULL,
	"declined_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "settlements_sendable" CHECK (payer ~ '^0x[0-9a-fA-F]{40}$' and payee ~ '^0x[0-9a-fA-F]{40}$' and nonce ~ '^0x[0-9a-fA-F]{64}$'
        and signature_kind in ('ecdsa', 'erc1271')),
	CONSTRAINT "settlements_deployment" CHECK ((factory is null) = (factory_calldata is null) and (factory is null or group_id is null)),
	CONSTRAINT "settlements_ended" CHECK ((state in ('settled', 'void')) = (ended_at is not null)),
	CONSTRAINT "settlements_unmoved" CHECK (state not in ('declined', 'void') or failure_code is not null),
	CONSTRAINT "settlements_void" CHECK (state <> 'void' or block_number is not null),
	CONSTRAINT "settlements_settled" CHECK (state <> 'settled' or (tx_hash is not null and block_number is not null)),
	CONSTRAINT "settlements_prepared" CHECK (state not in ('prepared', 'broadcast') or relayer_nonce is not null)
);
--> statement-breakpoint
CREATE TABLE "contract_refusals" (
	"owner_id" text NOT NULL,
	"network" text NOT NULL,
	"host" text NOT NULL,
	"agent_id" uuid NOT NULL,
	"reason" text NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL,
	"is_witnessed" boolean NOT NULL,
	CONSTRAINT "contract_refusals_owner_id_network_host_agent_id_pk" PRIMARY KEY("owner_id","network","host","agent_id")
);
--> statement-breakpoint
CREATE TABLE "vault_operations" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "vault_operations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"mandate_id" text NOT NULL,
	"network" text NOT NULL,
	"kind" text NOT NULL,
	"amount" numeric(78,0),
	"valid_before" numeric(78,0),
	"signature" text,
	"state" text DEFAULT 'waiting' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"failure" text,
	"retry_at" timestamp (3) with time zone,
	"signer" text,
	"relayer_nonce" bigint,
	"done_block" bigint,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "vault_operations_sent" CHECK (state <> 'sent' or (signer is not null and relayer_nonce is not null)),
	CONSTRAINT "vault_operations_ended" CHECK ((state = 'done') = (done_block is not null))
);
--> statement-breakpoint
CREATE TABLE "vault_returns" (
	"network" text NOT NULL,
	"tx_hash" text NOT NULL,
	"log_index" integer NOT NULL,
	"mandate_id" text NOT NULL,
	"amount" numeric(78,0) NOT NULL,
	"block_number" bigint NOT NULL,
	CONSTRAINT "vault_returns_network_tx_hash_log_index_pk" PRIMARY KEY("network","tx_hash","log_index")
);
--> statement-breakpoint
CREATE TABLE "vault_searches" (
	"network" text PRIMARY KEY NOT NULL,
	"block_number" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "vaults" (
	"mandate_id" text PRIMARY KEY NOT NULL,
	"network" text NOT NULL,
	"signer" text NOT NULL,
	"sealed_key" text NOT NULL,
	"state" text NOT NULL,
	"failure" text,
	"funding" text,
	"contract_version" integer,
	"address" text,
	"owner" text,
	"agent_key" text,
	"starts_at" bigint,
	"ends_at" bigint,
	"limit_amount" numeric(78,0),
	"per_payment" numeric(78,0),
	"release_amount" numeric(78,0),
	"release_seconds" bigint,
	"payees_root" text,
	"payees" text[],
	"mandate_hash" text,
	"is_deployed" boolean DEFAULT false NOT NULL,
	"is_revoked" boolean DEFAULT false NOT NULL,
	"funded" numeric(78,0) DEFAULT 0 NOT NULL,
	"balance" numeric(78,0) DEFAULT 0 NOT NULL,
	"spent" numeric(78,0) DEFAULT 0 NOT NULL,
	"allowance" numeric(78,0) DEFAULT 0 NOT NULL,
	"pocket" text,
	"sealed_pocket_key" text,
	"pocket_balance" numeric(78,0) DEFAULT 0 NOT NULL,
	"returned" numeric(78,0) DEFAULT 0 NOT NULL,
	"committed" numeric(78,0) DEFAULT 0 NOT NULL,
	"read_block" bigint,
	"read_at" timestamp (3) with time zone,
	"is_low" boolean DEFAULT false NOT NULL,
	"is_stale" boolean DEFAULT true NOT NULL,
	"closed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "vaults_signer" UNIQUE("signer"),
	CONSTRAINT "vaults_address" UNIQUE("address"),
	CONSTRAINT "vaults_pocket" UNIQUE("pocket"),
	CONSTRAINT "vaults_terms" CHECK (state = 'proposed' or (contract_version is not null and address is not null and owner is not null and starts_at is not null and ends_at is not null
        and limit_amount is not null and mandate_hash is not null and funding is not null
        and (release_amount is null) = (release_seconds is null) and (payees_root is null) = (payees is null))),
	CONSTRAINT "vaults_pocket_key" CHECK ((pocket is null) = (sealed_pocket_key is null)),
	CONSTRAINT "vaults_failed" CHECK ((state = 'failed') = (failure is not null))
);
--> statement-breakpoint
CREATE TABLE "low_balances" (
	"owner_id" text PRIMARY KEY NOT NULL,
	"amount" numeric(78,0) NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "low_balances_amount" CHECK (amount >= 0)
);
--> statement-breakpoint
CREATE TABLE "wallet_readings" (
	"wallet_id" text PRIMARY KEY NOT NULL,
	"network" text NOT NULL,
	"paid_block" bigint NOT NULL,
	"read_block" bigint,
	"read_at" timestamp (3) with time zone,
	"is_low" boolean DEFAULT false NOT NULL
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
	"caps_revision" integer DEFAULT 0 NOT NULL,
	"payees_revision" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "wallets_address" UNIQUE("address")
);
--> statement-breakpoint
CREATE TABLE "webhook_attempts" (
	"delivery_id" text NOT NULL,
	"number" integer NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"duration_ms" integer,
	"status" integer,
	"reply" text,
	"failure" text,
	CONSTRAINT "webhook_attempts_delivery_id_number_pk" PRIMARY KEY("delivery_id","number")
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" text PRIMARY KEY NOT NULL,
	"webhook_id" text NOT NULL,
	"event_id" text NOT NULL,
	"type" text NOT NULL,
	"body" text NOT NULL,
	"state" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"tried_since" timestamp (3) with time zone,
	"tries" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "webhook_deliveries_once" UNIQUE("webhook_id","event_id")
);
--> statement-breakpoint
CREATE TABLE "webhook_secrets" (
	"id" text PRIMARY KEY NOT NULL,
	"webhook_id" text NOT NULL,
	"sealed_key" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"id" text PRIMARY KEY NOT NULL,
	"owner_id" text NOT NULL,
	"url" text NOT NULL,
	"receiver" text NOT NULL,
	"verified_at" timestamp (3) with time zone,
	"description" text NOT NULL,
	"event_types" text[],
	"is_enabled" boolean NOT NULL,
	"disabled_by" text,
	"enabled_at" timestamp (3) with time zone NOT NULL,
	"is_slow" boolean DEFAULT false NOT NULL,
	"succeeded_at" timestamp (3) with time zone,
	"failed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "webhooks_disabled_by" CHECK (disabled_by is null or not is_enabled)
);
--> statement-breakpoint
ALTER TABLE "agents" ADD CONSTRAINT "agents_owner_id_owners_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_wallet_id_wallets_id_fk" FOREIGN KEY ("wallet_id") REFERENCES "public"."wallets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_mandate_id_mandates_id_fk" FOREIGN KEY ("mandate_id") REFERENCES "public"."mandates"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refused_attempts" ADD CONSTRAINT "refused_attempts_owner_id_owners_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refused_attempts" ADD CONSTRAINT "refused_attempts_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refused_attempts" ADD CONSTRAINT "refused_attempts_mandate_id_mandates_id_fk" FOREIGN KEY ("mandate_id") REFERENCES "public"."mandates"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_identifiers" ADD CONSTRAINT "payment_identifiers_settlement_id_settlements_id_fk" FOREIGN KEY ("settlement_id") REFERENCES "public"."settlements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approval_limits" ADD CONSTRAINT "approval_limits_owner_id_owners_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "confirmations" ADD CONSTRAINT "confirmations_owner_id_owners_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credit_balances" ADD CONSTRAINT "credit_balances_owner_id_owners_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credit_postings" ADD CONSTRAINT "credit_postings_transaction_id_credit_transactions_id_fk" FOREIGN KEY ("transaction_id") REFERENCES "public"."credit_transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credit_transactions" ADD CONSTRAINT "credit_transactions_owner_id_owners_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credit_transactions" ADD CONSTRAINT "credit_transactions_settlement_id_settlements_id_fk" FOREIGN KEY ("settlement_id") REFERENCES "public"."settlements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credit_transactions" ADD CONSTRAINT "credit_transactions_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "facilitator_keys" ADD CONSTRAINT "facilitator_keys_owner_id_owners_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "facilitator_payments" ADD CONSTRAINT "facilitator_payments_settlement_id_settlements_id_fk" FOREIGN KEY ("settlement_id") REFERENCES "public"."settlements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "facilitator_payments" ADD CONSTRAINT "facilitator_payments_key_id_facilitator_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."facilitator_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "facilitator_usage" ADD CONSTRAINT "facilitator_usage_key_id_facilitator_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."facilitator_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "facilitator_verifications" ADD CONSTRAINT "facilitator_verifications_key_id_facilitator_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."facilitator_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "firewall_scans" ADD CONSTRAINT "firewall_scans_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "firewall_scans" ADD CONSTRAINT "firewall_scans_settlement_id_settlements_id_fk" FOREIGN KEY ("settlement_id") REFERENCES "public"."settlements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "firewall_scans" ADD CONSTRAINT "firewall_scans_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoice_numbers" ADD CONSTRAINT "invoice_numbers_owner_id_owners_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_owner_id_owners_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_link_id_payment_links_link_id_fk" FOREIGN KEY ("link_id") REFERENCES "public"."payment_links"("link_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ended_upstreams" ADD CONSTRAINT "ended_upstreams_link_id_payment_links_link_id_fk" FOREIGN KEY ("link_id") REFERENCES "public"."payment_links"("link_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "link_file_chunks" ADD CONSTRAINT "link_file_chunks_file_id_link_files_file_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."link_files"("file_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "link_files" ADD CONSTRAINT "link_files_owner_id_owners_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "link_images" ADD CONSTRAINT "link_images_owner_id_owners_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "link_refusals" ADD CONSTRAINT "link_refusals_link_id_payment_links_link_id_fk" FOREIGN KEY ("link_id") REFERENCES "public"."payment_links"("link_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "link_visits" ADD CONSTRAINT "link_visits_link_id_payment_links_link_id_fk" FOREIGN KEY ("link_id") REFERENCES "public"."payment_links"("link_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pass_calls" ADD CONSTRAINT "pass_calls_settlement_id_passes_settlement_id_fk" FOREIGN KEY ("settlement_id") REFERENCES "public"."passes"("settlement_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passes" ADD CONSTRAINT "passes_settlement_id_settlements_id_fk" FOREIGN KEY ("settlement_id") REFERENCES "public"."settlements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passes" ADD CONSTRAINT "passes_link_id_payment_links_link_id_fk" FOREIGN KEY ("link_id") REFERENCES "public"."payment_links"("link_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_owner_id_owners_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "received_payments" ADD CONSTRAINT "received_payments_settlement_id_settlements_id_fk" FOREIGN KEY ("settlement_id") REFERENCES "public"."settlements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "received_payments" ADD CONSTRAINT "received_payments_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "received_payments" ADD CONSTRAINT "received_payments_owner_id_owners_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "received_payments" ADD CONSTRAINT "received_payments_link_id_payment_links_link_id_fk" FOREIGN KEY ("link_id") REFERENCES "public"."payment_links"("link_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "upstream_calls" ADD CONSTRAINT "upstream_calls_settlement_id_settlements_id_fk" FOREIGN KEY ("settlement_id") REFERENCES "public"."settlements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "upstream_calls" ADD CONSTRAINT "upstream_calls_link_id_payment_links_link_id_fk" FOREIGN KEY ("link_id") REFERENCES "public"."payment_links"("link_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mandates" ADD CONSTRAINT "mandates_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mandates" ADD CONSTRAINT "mandates_owner_id_owners_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mandates" ADD CONSTRAINT "mandates_wallet_id_wallets_id_fk" FOREIGN KEY ("wallet_id") REFERENCES "public"."wallets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mandates" ADD CONSTRAINT "mandates_replaces_mandates_id_fk" FOREIGN KEY ("replaces") REFERENCES "public"."mandates"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mandates" ADD CONSTRAINT "mandates_replaced_by_mandates_id_fk" FOREIGN KEY ("replaced_by") REFERENCES "public"."mandates"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reservations" ADD CONSTRAINT "reservations_mandate_id_mandates_id_fk" FOREIGN KEY ("mandate_id") REFERENCES "public"."mandates"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "spending_caps" ADD CONSTRAINT "spending_caps_wallet_id_wallets_id_fk" FOREIGN KEY ("wallet_id") REFERENCES "public"."wallets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "spending_caps" ADD CONSTRAINT "spending_caps_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_owner_id_owners_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notice_browsers" ADD CONSTRAINT "notice_browsers_owner_id_owners_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notice_settings" ADD CONSTRAINT "notice_settings_owner_id_owners_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pushes" ADD CONSTRAINT "pushes_browser_id_notice_browsers_id_fk" FOREIGN KEY ("browser_id") REFERENCES "public"."notice_browsers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oauth_connections" ADD CONSTRAINT "oauth_connections_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oauth_connections" ADD CONSTRAINT "oauth_connections_owner_id_owners_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oauth_tokens" ADD CONSTRAINT "oauth_tokens_connection_id_oauth_connections_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."oauth_connections"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_owner_id_owners_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payees" ADD CONSTRAINT "payees_owner_id_owners_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payees" ADD CONSTRAINT "payees_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payees" ADD CONSTRAINT "payees_mandate_id_mandates_id_fk" FOREIGN KEY ("mandate_id") REFERENCES "public"."mandates"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_reservation_id_reservations_id_fk" FOREIGN KEY ("reservation_id") REFERENCES "public"."reservations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_mandate_id_mandates_id_fk" FOREIGN KEY ("mandate_id") REFERENCES "public"."mandates"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_wallet_id_wallets_id_fk" FOREIGN KEY ("wallet_id") REFERENCES "public"."wallets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_addresses" ADD CONSTRAINT "payout_addresses_owner_id_owners_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_legs" ADD CONSTRAINT "payout_legs_payout_payouts_id_fk" FOREIGN KEY ("payout") REFERENCES "public"."payouts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_legs" ADD CONSTRAINT "payout_legs_settlement_id_settlements_id_fk" FOREIGN KEY ("settlement_id") REFERENCES "public"."settlements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_owner_id_owners_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_mandate_id_mandates_id_fk" FOREIGN KEY ("mandate_id") REFERENCES "public"."mandates"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_wallet_id_wallets_id_fk" FOREIGN KEY ("wallet_id") REFERENCES "public"."wallets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "purchases" ADD CONSTRAINT "purchases_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "purchases" ADD CONSTRAINT "purchases_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "purchases" ADD CONSTRAINT "purchases_pass_id_purchases_id_fk" FOREIGN KEY ("pass_id") REFERENCES "public"."purchases"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "purchases" ADD CONSTRAINT "purchases_bought_for_purchases_id_fk" FOREIGN KEY ("bought_for") REFERENCES "public"."purchases"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recoveries" ADD CONSTRAINT "recoveries_owner_id_owners_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recoveries" ADD CONSTRAINT "recoveries_wallet_id_wallets_id_fk" FOREIGN KEY ("wallet_id") REFERENCES "public"."wallets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_attempts" ADD CONSTRAINT "recovery_attempts_recovery_id_recoveries_id_fk" FOREIGN KEY ("recovery_id") REFERENCES "public"."recoveries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_payment_id_received_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."received_payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_owner_id_owners_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_settlement_id_settlements_id_fk" FOREIGN KEY ("settlement_id") REFERENCES "public"."settlements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "denied_under_way" ADD CONSTRAINT "denied_under_way_reservation_id_reservations_id_fk" FOREIGN KEY ("reservation_id") REFERENCES "public"."reservations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "listed_payees" ADD CONSTRAINT "listed_payees_owner_id_owners_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "seller_domains" ADD CONSTRAINT "seller_domains_owner_id_owners_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "seller_profiles" ADD CONSTRAINT "seller_profiles_owner_id_owners_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "seller_profiles" ADD CONSTRAINT "seller_profiles_logo_id_seller_logos_id_fk" FOREIGN KEY ("logo_id") REFERENCES "public"."seller_logos"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cancellations" ADD CONSTRAINT "cancellations_settlement_id_settlements_id_fk" FOREIGN KEY ("settlement_id") REFERENCES "public"."settlements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "relayer_attempts" ADD CONSTRAINT "relayer_attempts_network_signer_nonce_relayer_transactions_network_signer_nonce_fk" FOREIGN KEY ("network","signer","nonce") REFERENCES "public"."relayer_transactions"("network","signer","nonce") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "relayer_transactions" ADD CONSTRAINT "relayer_transactions_network_signer_relayers_network_signer_fk" FOREIGN KEY ("network","signer") REFERENCES "public"."relayers"("network","signer") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contract_refusals" ADD CONSTRAINT "contract_refusals_owner_id_owners_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contract_refusals" ADD CONSTRAINT "contract_refusals_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vault_operations" ADD CONSTRAINT "vault_operations_mandate_id_vaults_mandate_id_fk" FOREIGN KEY ("mandate_id") REFERENCES "public"."vaults"("mandate_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vault_returns" ADD CONSTRAINT "vault_returns_mandate_id_vaults_mandate_id_fk" FOREIGN KEY ("mandate_id") REFERENCES "public"."vaults"("mandate_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vaults" ADD CONSTRAINT "vaults_mandate_id_mandates_id_fk" FOREIGN KEY ("mandate_id") REFERENCES "public"."mandates"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "low_balances" ADD CONSTRAINT "low_balances_owner_id_owners_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallet_readings" ADD CONSTRAINT "wallet_readings_wallet_id_wallets_id_fk" FOREIGN KEY ("wallet_id") REFERENCES "public"."wallets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallets" ADD CONSTRAINT "wallets_owner_id_owners_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery_id_webhook_deliveries_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."webhook_deliveries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_secrets" ADD CONSTRAINT "webhook_secrets_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_owner_id_owners_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "agents_owner" ON "agents" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "agents_token" ON "agents" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "agents_old_token" ON "agents" USING btree ("old_token_hash");--> statement-breakpoint
CREATE INDEX "approvals_agent" ON "approvals" USING btree ("agent_id","created_at");--> statement-breakpoint
CREATE INDEX "approvals_waiting" ON "approvals" USING btree ("agent_id","expires_at") WHERE approved_at is null and denied_at is null;--> statement-breakpoint
CREATE INDEX "approvals_unsigned" ON "approvals" USING btree ("wallet_id","approved_at") WHERE approved_at is not null and not is_signed;--> statement-breakpoint
CREATE INDEX "refused_attempts_mandate" ON "refused_attempts" USING btree ("mandate_id","last_at");--> statement-breakpoint
CREATE INDEX "refused_attempts_age" ON "refused_attempts" USING btree ("minute");--> statement-breakpoint
CREATE INDEX "buyer_sign_ins_expiry" ON "buyer_sign_ins" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "confirmations_action" ON "confirmations" USING btree ("owner_id","action_hash","created_at");--> statement-breakpoint
CREATE INDEX "confirmations_unused" ON "confirmations" USING btree ("owner_id","expires_at") WHERE used_at is null;--> statement-breakpoint
CREATE INDEX "credit_postings_account" ON "credit_postings" USING btree ("account");--> statement-breakpoint
CREATE INDEX "credit_transactions_owner" ON "credit_transactions" USING btree ("owner_id","created_at","id");--> statement-breakpoint
CREATE INDEX "credit_transactions_settlement" ON "credit_transactions" USING btree ("settlement_id");--> statement-breakpoint
CREATE INDEX "facilitator_keys_owner" ON "facilitator_keys" USING btree ("owner_id","created_at");--> statement-breakpoint
CREATE INDEX "facilitator_payments_owner" ON "facilitator_payments" USING btree ("owner_id","created_at","settlement_id");--> statement-breakpoint
CREATE INDEX "facilitator_payments_key" ON "facilitator_payments" USING btree ("key_id","created_at","settlement_id");--> statement-breakpoint
CREATE INDEX "facilitator_verifications_expiry" ON "facilitator_verifications" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "firewall_scans_agent" ON "firewall_scans" USING btree ("agent_id","created_at","scan_id");--> statement-breakpoint
CREATE UNIQUE INDEX "invoices_number" ON "invoices" USING btree ("owner_id","number");--> statement-breakpoint
CREATE INDEX "invoices_owner" ON "invoices" USING btree ("owner_id","id");--> statement-breakpoint
CREATE INDEX "invoices_agent" ON "invoices" USING btree ("agent_id","id");--> statement-breakpoint
CREATE INDEX "ended_upstreams_time" ON "ended_upstreams" USING btree ("ended_at");--> statement-breakpoint
CREATE INDEX "link_files_owner" ON "link_files" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "link_files_unused" ON "link_files" USING btree ("unused_since") WHERE unused_since is not null;--> statement-breakpoint
CREATE INDEX "link_images_owner" ON "link_images" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "link_images_unused" ON "link_images" USING btree ("unused_since") WHERE unused_since is not null;--> statement-breakpoint
CREATE INDEX "link_listings_rank" ON "link_listings" USING btree ("sales" DESC NULLS LAST,"number");--> statement-breakpoint
CREATE INDEX "link_listings_owner" ON "link_listings" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "link_refusals_link" ON "link_refusals" USING btree ("link_id","id");--> statement-breakpoint
CREATE INDEX "link_visits_viewed" ON "link_visits" USING btree ("link_id","viewed_at");--> statement-breakpoint
CREATE INDEX "link_visits_age" ON "link_visits" USING btree ("viewed_at");--> statement-breakpoint
CREATE INDEX "pass_calls_pass" ON "pass_calls" USING btree ("settlement_id");--> statement-breakpoint
CREATE INDEX "pass_calls_dead" ON "pass_calls" USING btree ("busy_until");--> statement-breakpoint
CREATE INDEX "passes_link" ON "passes" USING btree ("link_id","created_at");--> statement-breakpoint
CREATE INDEX "payment_links_agent" ON "payment_links" USING btree ("agent_id","id");--> statement-breakpoint
CREATE INDEX "payment_links_listed" ON "payment_links" USING btree ("id") WHERE is_listed and deleted_at is null;--> statement-breakpoint
CREATE INDEX "payment_links_listed_agent" ON "payment_links" USING btree ("agent_id","id") WHERE is_listed and deleted_at is null;--> statement-breakpoint
CREATE INDEX "payment_links_file" ON "payment_links" USING btree ((file ->> 'fileId')) WHERE file is not null and deleted_at is null;--> statement-breakpoint
CREATE INDEX "payment_links_image" ON "payment_links" USING btree ((image ->> 'imageId')) WHERE image is not null and deleted_at is null;--> statement-breakpoint
CREATE INDEX "received_payments_agent" ON "received_payments" USING btree ("agent_id","id");--> statement-breakpoint
CREATE INDEX "received_payments_owner" ON "received_payments" USING btree ("owner_id","id");--> statement-breakpoint
CREATE INDEX "received_payments_owner_time" ON "received_payments" USING btree ("owner_id","created_at");--> statement-breakpoint
CREATE INDEX "received_payments_link" ON "received_payments" USING btree ("link_id","id");--> statement-breakpoint
CREATE INDEX "received_payments_file" ON "received_payments" USING btree ((file ->> 'fileId')) WHERE file is not null;--> statement-breakpoint
CREATE INDEX "upstream_calls_link" ON "upstream_calls" USING btree ("link_id","created_at");--> statement-breakpoint
CREATE INDEX "upstream_calls_kept" ON "upstream_calls" USING btree ("answered_at") WHERE sealed_answer is not null;--> statement-breakpoint
CREATE INDEX "mandates_agent" ON "mandates" USING btree ("agent_id","created_at","id");--> statement-breakpoint
CREATE INDEX "mandates_owner" ON "mandates" USING btree ("owner_id","created_at","id");--> statement-breakpoint
CREATE INDEX "mandates_agent_signed" ON "mandates" USING btree ("agent_id","created_at","id") WHERE state = 'signed';--> statement-breakpoint
CREATE INDEX "mandates_owner_signed" ON "mandates" USING btree ("owner_id","created_at","id") WHERE state = 'signed';--> statement-breakpoint
CREATE INDEX "mandates_owner_waiting" ON "mandates" USING btree ("owner_id","created_at","id") WHERE state in ('draft', 'pending_signature');--> statement-breakpoint
CREATE INDEX "mandates_replaces" ON "mandates" USING btree ("replaces") WHERE replaces is not null;--> statement-breakpoint
CREATE INDEX "mandates_agent_draft" ON "mandates" USING btree ("agent_id","created_at","id") WHERE owner_id is null;--> statement-breakpoint
CREATE UNIQUE INDEX "reservations_authorization" ON "reservations" USING btree ("network","payer","nonce");--> statement-breakpoint
CREATE INDEX "reservations_open" ON "reservations" USING btree ("network","valid_before","id") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "reservations_periods" ON "reservations" USING btree ("mandate_id","charged_on") WHERE charged_on is not null;--> statement-breakpoint
CREATE INDEX "reservations_block" ON "reservations" USING btree ("network","block_number") WHERE block_number is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "spending_caps_of" ON "spending_caps" USING btree ("wallet_id","agent_id") WHERE agent_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "spending_caps_of_owner" ON "spending_caps" USING btree ("wallet_id") WHERE agent_id is null;--> statement-breakpoint
CREATE INDEX "mails_due" ON "mails" USING btree ("state","next_attempt_at");--> statement-breakpoint
CREATE INDEX "mails_age" ON "mails" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "notice_browsers_owner" ON "notice_browsers" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "notice_browsers_session" ON "notice_browsers" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "pushes_due" ON "pushes" USING btree ("state","next_attempt_at");--> statement-breakpoint
CREATE INDEX "pushes_age" ON "pushes" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "oauth_apps_created" ON "oauth_apps" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "oauth_connections_owner" ON "oauth_connections" USING btree ("owner_id","created_at");--> statement-breakpoint
CREATE INDEX "oauth_tokens_connection" ON "oauth_tokens" USING btree ("connection_id");--> statement-breakpoint
CREATE INDEX "oauth_tokens_expires" ON "oauth_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sessions_owner" ON "sessions" USING btree ("owner_id","last_seen_at");--> statement-breakpoint
CREATE UNIQUE INDEX "payees_pair" ON "payees" USING btree ("owner_id","origin","network","payee");--> statement-breakpoint
CREATE INDEX "payees_owner" ON "payees" USING btree ("owner_id","created_at","id");--> statement-breakpoint
CREATE INDEX "payees_waiting" ON "payees" USING btree ("owner_id","created_at","id") WHERE confirmed_at is null and refused_at is null;--> statement-breakpoint
CREATE INDEX "payments_agent" ON "payments" USING btree ("agent_id","created_at");--> statement-breakpoint
CREATE INDEX "payments_mandate" ON "payments" USING btree ("mandate_id","created_at");--> statement-breakpoint
CREATE INDEX "payments_host" ON "payments" USING btree ("wallet_id","host","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "payout_legs_address" ON "payout_legs" USING btree ("payout","to_address");--> statement-breakpoint
CREATE INDEX "payout_legs_to" ON "payout_legs" USING btree ("to_address");--> statement-breakpoint
CREATE UNIQUE INDEX "payouts_of_agent" ON "payouts" USING btree ("agent_id","payout_id") WHERE agent_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "payouts_of_owner" ON "payouts" USING btree ("owner_id","payout_id") WHERE agent_id is null;--> statement-breakpoint
CREATE INDEX "payouts_name" ON "payouts" USING btree ("payout_id");--> statement-breakpoint
CREATE INDEX "payouts_agent" ON "payouts" USING btree ("agent_id","created_at","id");--> statement-breakpoint
CREATE INDEX "payouts_owner" ON "payouts" USING btree ("owner_id","created_at","id");--> statement-breakpoint
CREATE INDEX "payouts_mandate" ON "payouts" USING btree ("mandate_id");--> statement-breakpoint
CREATE INDEX "payouts_unsigned" ON "payouts" USING btree ("wallet_id","approved_at") WHERE mandate_id is null and not is_signed;--> statement-breakpoint
CREATE INDEX "payouts_undecided" ON "payouts" USING btree ("created_at","id") WHERE approved_at is null and denied_at is null and cancelled_at is null;--> statement-breakpoint
CREATE INDEX "payouts_unfinished" ON "payouts" USING btree ("approved_at") WHERE approved_at is not null and succeeded_at is null and failed_at is null;--> statement-breakpoint
CREATE INDEX "events_owner" ON "events" USING btree ("owner_id","created_at","id");--> statement-breakpoint
CREATE INDEX "events_owner_agent" ON "events" USING btree ("owner_id","agent_id","created_at","id") WHERE "events"."owner_id" is not null;--> statement-breakpoint
CREATE INDEX "events_unowned" ON "events" USING btree ("agent_id","created_at","id") WHERE "events"."owner_id" is null;--> statement-breakpoint
CREATE INDEX "events_age" ON "events" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "idempotent_requests_age" ON "idempotent_requests" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "rate_limits_age" ON "rate_limits" USING btree ("expire");--> statement-breakpoint
CREATE INDEX "purchases_answered" ON "purchases" USING btree ("held_until") WHERE sealed_answer is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "recoveries_nonce" ON "recoveries" USING btree ("wallet_id","nonce");--> statement-breakpoint
CREATE INDEX "recoveries_owner" ON "recoveries" USING btree ("owner_id","network","created_at","id");--> statement-breakpoint
CREATE INDEX "recoveries_open" ON "recoveries" USING btree ("created_at") WHERE state = 'sent';--> statement-breakpoint
CREATE INDEX "recoveries_block" ON "recoveries" USING btree ("network","block_number");--> statement-breakpoint
CREATE INDEX "recovery_attempts_recovery" ON "recovery_attempts" USING btree ("recovery_id","created_at");--> statement-breakpoint
CREATE INDEX "refunds_agent" ON "refunds" USING btree ("agent_id","owner_id","id");--> statement-breakpoint
CREATE INDEX "refunds_owner" ON "refunds" USING btree ("owner_id","id");--> statement-breakpoint
CREATE INDEX "refunds_waiting" ON "refunds" USING btree ("owner_id","expires_at") WHERE settlement_id is null and cancelled_at is null;--> statement-breakpoint
CREATE INDEX "refunds_payment" ON "refunds" USING btree ("payment_id");--> statement-breakpoint
CREATE INDEX "payee_reports_address" ON "payee_reports" USING btree ("address");--> statement-breakpoint
CREATE INDEX "seller_domains_due" ON "seller_domains" USING btree ("checked_at");--> statement-breakpoint
CREATE INDEX "seller_profiles_logo" ON "seller_profiles" USING btree ("logo_id");--> statement-breakpoint
CREATE INDEX "cancellations_open" ON "cancellations" USING btree ("network","created_at") WHERE state in ('waiting', 'sent');--> statement-breakpoint
CREATE INDEX "ledger_entries_account" ON "ledger_entries" USING btree ("account","created_at");--> statement-breakpoint
CREATE INDEX "payer_gas_recent" ON "payer_gas" USING btree ("network","payer","created_at");--> statement-breakpoint
CREATE INDEX "relayer_attempts_nonce" ON "relayer_attempts" USING btree ("network","signer","nonce");--> statement-breakpoint
CREATE INDEX "relayer_transactions_open" ON "relayer_transactions" USING btree ("network","signer") WHERE is_open;--> statement-breakpoint
CREATE UNIQUE INDEX "settlements_authorization" ON "settlements" USING btree ("network","asset","payer","nonce");--> statement-breakpoint
CREATE INDEX "settlements_open" ON "settlements" USING btree ("network","created_at") WHERE state in ('claimed', 'prepared', 'broadcast');--> statement-breakpoint
CREATE INDEX "settlements_relayer" ON "settlements" USING btree ("network","signer","relayer_nonce");--> statement-breakpoint
CREATE INDEX "settlements_subject" ON "settlements" USING btree ("subject","created_at");--> statement-breakpoint
CREATE INDEX "settlements_agent" ON "settlements" USING btree ("agent_id","created_at");--> statement-breakpoint
CREATE INDEX "settlements_payee" ON "settlements" USING btree ("payee","created_at","id");--> statement-breakpoint
CREATE INDEX "settlements_owners_own" ON "settlements" USING btree ("payer","created_at","id") WHERE purpose in ('refund', 'payout', 'withdrawal', 'credits');--> statement-breakpoint
CREATE INDEX "settlements_unended" ON "settlements" USING btree ("network","valid_before") WHERE state in ('claimed', 'prepared', 'broadcast', 'declined');--> statement-breakpoint
CREATE INDEX "settlements_tx" ON "settlements" USING btree ("tx_hash");--> statement-breakpoint
CREATE INDEX "settlements_group" ON "settlements" USING btree ("group_id") WHERE group_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "vault_operations_live" ON "vault_operations" USING btree ("mandate_id","kind") WHERE state in ('waiting', 'sent');--> statement-breakpoint
CREATE INDEX "vault_operations_mandate" ON "vault_operations" USING btree ("mandate_id","kind","created_at");--> statement-breakpoint
CREATE INDEX "vault_operations_open" ON "vault_operations" USING btree ("network","created_at") WHERE state in ('waiting', 'sent');--> statement-breakpoint
CREATE INDEX "vault_operations_done" ON "vault_operations" USING btree ("network","done_block") WHERE done_block is not null;--> statement-breakpoint
CREATE INDEX "vault_returns_mandate" ON "vault_returns" USING btree ("mandate_id");--> statement-breakpoint
CREATE INDEX "vault_returns_block" ON "vault_returns" USING btree ("network","block_number");--> statement-breakpoint
CREATE INDEX "vaults_watched" ON "vaults" USING btree ("network","closed_at") WHERE state <> 'proposed';--> statement-breakpoint
CREATE INDEX "vaults_left" ON "vaults" USING btree ("network","read_at") WHERE state in ('closed', 'failed') and (balance > 0 or pocket_balance > 0);--> statement-breakpoint
CREATE INDEX "vaults_live" ON "vaults" USING btree ("network","read_at") WHERE state in ('opening', 'open', 'closing');--> statement-breakpoint
CREATE INDEX "vaults_ending" ON "vaults" USING btree ("network","ends_at") WHERE state in ('opening', 'open');--> statement-breakpoint
CREATE INDEX "vaults_stale" ON "vaults" USING btree ("network") WHERE is_stale and state <> 'proposed';--> statement-breakpoint
CREATE INDEX "vaults_read" ON "vaults" USING btree ("network","read_block") WHERE read_block is not null;--> statement-breakpoint
CREATE INDEX "wallet_readings_due" ON "wallet_readings" USING btree ("network") WHERE read_block is null or read_block < paid_block;--> statement-breakpoint
CREATE INDEX "wallet_readings_low" ON "wallet_readings" USING btree ("network","read_at") WHERE is_low;--> statement-breakpoint
CREATE INDEX "wallet_readings_block" ON "wallet_readings" USING btree ("network","read_block");--> statement-breakpoint
CREATE UNIQUE INDEX "wallets_one_spending" ON "wallets" USING btree ("owner_id","network") WHERE purpose = 'spending';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_list" ON "webhook_deliveries" USING btree ("webhook_id","created_at","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("next_attempt_at") WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_age" ON "webhook_deliveries" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "webhook_secrets_webhook" ON "webhook_secrets" USING btree ("webhook_id");--> statement-breakpoint
CREATE INDEX "webhooks_owner" ON "webhooks" USING btree ("owner_id","created_at");