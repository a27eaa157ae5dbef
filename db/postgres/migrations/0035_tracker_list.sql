CREATE INDEX "devices_by_name" ON "devices" USING btree (lower("name"),"id");--> statement-breakpoint
CREATE INDEX "devices_by_creation" ON "devices" USING btree ("created_at","id");