ALTER TABLE "alert_devices" ADD COLUMN "state" json;--> statement-breakpoint
ALTER TABLE "alert_devices" ADD COLUMN "due_at" bigint;--> statement-breakpoint
ALTER TABLE "alert_firings" ADD COLUMN "rule" json;--> statement-breakpoint
ALTER TABLE "alerts" ADD COLUMN "rule" json;--> statement-breakpoint
ALTER TABLE "alerts" ADD COLUMN "schedule" json;--> statement-breakpoint
ALTER TABLE "alerts" ADD COLUMN "pause" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "held_alerts" ADD COLUMN "rule" json;--> statement-breakpoint
CREATE INDEX "alert_devices_by_due" ON "alert_devices" USING btree ("due_at");