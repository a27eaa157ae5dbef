CREATE INDEX "care_claims_by_status" ON "care_claims" USING btree ("status","id");--> statement-breakpoint
CREATE INDEX "verification_codes_by_months" ON "verification_codes" USING btree ((case when "months" is null then 0 else "months" end + case when "extra" is null then 0 else "extra" end),"code");--> statement-breakpoint
CREATE INDEX "verification_codes_by_address" ON "verification_codes" USING btree ((case when "mailed_to" is null then '' else "mailed_to" end),"code");--> statement-breakpoint
CREATE INDEX "code_batches_by_name" ON "code_batches" USING btree (lower("name"),"id");--> statement-breakpoint
CREATE INDEX "code_batches_by_months" ON "code_batches" USING btree (("months" + "extra"),"id");--> statement-breakpoint
CREATE INDEX "code_batches_by_count" ON "code_batches" USING btree ("count","id");--> statement-breakpoint
CREATE INDEX "deeds_by_who" ON "deeds" USING btree ("who","id");--> statement-breakpoint
CREATE INDEX "deeds_by_kind" ON "deeds" USING btree ("kind","id");--> statement-breakpoint
CREATE INDEX "deeds_by_kind_and_who" ON "deeds" USING btree ("kind","who","id");