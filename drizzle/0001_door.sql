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
ALTER TABLE "settlements" ADD COLUMN "signature_kind" text DEFAULT 'ecdsa' NOT NULL;--> statement-breakpoint
ALTER TABLE "settlements" ADD COLUMN "last_error" text;--> statement-breakpoint
CREATE INDEX "payer_gas_recent" ON "payer_gas" USING btree ("network","payer","created_at");--> statement-breakpoint
ALTER TABLE "settlements" ADD CONSTRAINT "settlements_sendable" CHECK (payer ~ '^0x[0-9a-fA-F]{40}$' and payee ~ '^0x[0-9a-fA-F]{40}$' and nonce ~ '^0x[0-9a-fA-F]{64}$'
        and signature_kind in ('ecdsa', 'erc1271'));