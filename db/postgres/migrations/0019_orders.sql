ALTER TABLE "orders" ADD COLUMN "picked_at" bigint;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "shipped_at" bigint;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "carrier" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "tracking" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "delivered_at" bigint;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "returned_at" bigint;--> statement-breakpoint
CREATE INDEX "care_claims_by_order" ON "care_claims" USING btree ("order_reference");--> statement-breakpoint
CREATE INDEX "orders_by_date" ON "orders" USING btree ("date","reference");--> statement-breakpoint
CREATE INDEX "orders_by_status" ON "orders" USING btree ("status","date","reference");--> statement-breakpoint
CREATE INDEX "orders_by_return" ON "orders" USING btree ("returned_at");--> statement-breakpoint
CREATE INDEX "orders_by_tracking" ON "orders" USING btree ("tracking");--> statement-breakpoint
CREATE INDEX "stock_items_by_order" ON "stock_items" USING btree ("order_reference");