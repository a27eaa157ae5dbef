CREATE TABLE "payment_cursors" (
	"key" text COLLATE "C" PRIMARY KEY NOT NULL,
	"value" text COLLATE "C" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "unexplained_payments" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"customer" text COLLATE "C",
	"reason" text COLLATE "C" NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text COLLATE "C" NOT NULL,
	"paid_at" bigint NOT NULL,
	"found_at" bigint NOT NULL,
	"accepted_at" bigint
);
--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "refunded" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "dispute" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "payment_events" ADD COLUMN "charge" text COLLATE "C";--> statement-breakpoint
CREATE INDEX "unexplained_payments_by_customer" ON "unexplained_payments" USING btree ("customer");