ALTER TABLE "alert_firings" ADD COLUMN "other_id" bigint;--> statement-breakpoint
ALTER TABLE "alert_firings" ADD COLUMN "distance" bigint;--> statement-breakpoint
ALTER TABLE "held_alerts" ADD COLUMN "other_id" bigint;--> statement-breakpoint
ALTER TABLE "held_alerts" ADD COLUMN "distance" bigint;--> statement-breakpoint
ALTER TABLE "alert_firings" ADD CONSTRAINT "alert_firings_other_id_devices_id_fk" FOREIGN KEY ("other_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "held_alerts" ADD CONSTRAINT "held_alerts_other_id_devices_id_fk" FOREIGN KEY ("other_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "alert_firings_by_other" ON "alert_firings" USING btree ("other_id");