CREATE INDEX "owners_by_name" ON "users" USING btree (lower("last_name" || ' ' || "first_name"),"account_id") WHERE role <> 'pro';--> statement-breakpoint
CREATE INDEX "owners_by_email" ON "users" USING btree ("email") WHERE role <> 'pro';--> statement-breakpoint
CREATE INDEX "owners_by_account" ON "users" USING btree ("account_id") WHERE role <> 'pro';--> statement-breakpoint
CREATE INDEX "invoices_by_amount" ON "invoices" USING btree ("amount","id");--> statement-breakpoint
CREATE INDEX "invoices_by_status_and_amount" ON "invoices" USING btree ("status","amount","id");--> statement-breakpoint
CREATE INDEX "invoices_refunded_by_amount" ON "invoices" USING btree ("amount","id") WHERE refunded > 0;--> statement-breakpoint
CREATE INDEX "invoices_disputed_by_amount" ON "invoices" USING btree ("amount","id") WHERE dispute is not null;--> statement-breakpoint
CREATE INDEX "orders_by_total" ON "orders" USING btree ("total","reference");--> statement-breakpoint
CREATE INDEX "orders_by_status_and_total" ON "orders" USING btree ("status","total","reference");--> statement-breakpoint
CREATE INDEX "orders_returned_by_total" ON "orders" USING btree ("total","reference") WHERE returned_at is not null;--> statement-breakpoint
CREATE INDEX "stock_items_sorted_by_batch" ON "stock_items" USING btree ((case when "batch" is null then '' else "batch" end),"identifier");--> statement-breakpoint
CREATE INDEX "stock_items_by_months" ON "stock_items" USING btree ("included_months","identifier");--> statement-breakpoint
CREATE INDEX "stock_items_by_addition" ON "stock_items" USING btree ((case when "added_at" is null then 0 else "added_at" end),"identifier");