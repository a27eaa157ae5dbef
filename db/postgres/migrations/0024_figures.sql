CREATE INDEX "users_by_creation" ON "users" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "users_by_confirmation" ON "users" USING btree ("email_confirmed","created_at");--> statement-breakpoint
CREATE INDEX "subscriptions_by_start" ON "subscriptions" USING btree ("started_at");--> statement-breakpoint
CREATE INDEX "devices_by_end" ON "devices" USING btree ("sub_state","sub_end_date");