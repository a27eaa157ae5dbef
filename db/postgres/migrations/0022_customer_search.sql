CREATE INDEX "users_by_account" ON "users" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "users_by_first_name" ON "users" USING btree (lower("first_name"));--> statement-breakpoint
CREATE INDEX "users_by_last_name" ON "users" USING btree (lower("last_name"));--> statement-breakpoint
CREATE INDEX "unlink_requests_by_user" ON "unlink_requests" USING btree ("user_id");