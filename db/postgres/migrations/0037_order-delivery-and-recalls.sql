ALTER TABLE "orders" ADD COLUMN "delivery" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "price_changes" ADD COLUMN "recalled_up_to" bigint;--> statement-breakpoint
ALTER TABLE "price_changes" ADD COLUMN "recalled_at" bigint;--> statement-breakpoint
ALTER TABLE "price_notices" ADD COLUMN "is_mailed" boolean DEFAULT true NOT NULL;--> statement-breakpoint
CREATE INDEX "price_changes_to_recall" ON "price_changes" USING btree ("cancelled_at") WHERE cancelled_at is not null and recalled_at is null;