CREATE INDEX "withdrawals_by_outcome" ON "withdrawals" USING btree ("outcome","received_at");--> statement-breakpoint
CREATE INDEX "withdrawals_by_email" ON "withdrawals" USING btree ("email");--> statement-breakpoint
CREATE INDEX "withdrawals_by_reference" ON "withdrawals" USING btree ("reference");