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
ALTER TABLE "refunds" DROP CONSTRAINT "refunds_voided";--> statement-breakpoint
ALTER TABLE "settlements" DROP CONSTRAINT "settlements_ended";--> statement-breakpoint
DROP INDEX "settlements_failed_refunds";--> statement-breakpoint
ALTER TABLE "settlements" ADD COLUMN "declined_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "cancellations" ADD CONSTRAINT "cancellations_settlement_id_settlements_id_fk" FOREIGN KEY ("settlement_id") REFERENCES "public"."settlements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "cancellations_open" ON "cancellations" USING btree ("network","created_at") WHERE state in ('waiting', 'sent');--> statement-breakpoint
CREATE INDEX "settlements_unended" ON "settlements" USING btree ("network","valid_before") WHERE state in ('claimed', 'prepared', 'broadcast', 'declined');--> statement-breakpoint
ALTER TABLE "refunds" DROP COLUMN "voided_at";--> statement-breakpoint
ALTER TABLE "settlements" ADD CONSTRAINT "settlements_unmoved" CHECK (state not in ('declined', 'void') or failure_code is not null);--> statement-breakpoint
ALTER TABLE "settlements" ADD CONSTRAINT "settlements_void" CHECK (state <> 'void' or block_number is not null);--> statement-breakpoint
ALTER TABLE "settlements" ADD CONSTRAINT "settlements_ended" CHECK ((state in ('settled', 'void')) = (ended_at is not null));