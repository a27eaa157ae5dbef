CREATE TABLE "push_results" (
	"push_id" bigint PRIMARY KEY NOT NULL,
	"outcome" text COLLATE "C" NOT NULL,
	"at" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "alert_firings" ADD COLUMN "lat" bigint;--> statement-breakpoint
ALTER TABLE "alert_firings" ADD COLUMN "lng" bigint;--> statement-breakpoint
ALTER TABLE "alert_firings" ADD COLUMN "precision" bigint;--> statement-breakpoint
ALTER TABLE "alert_firings" ADD COLUMN "address" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "alert_firings" ADD COLUMN "published_at" bigint;--> statement-breakpoint
ALTER TABLE "alert_firings" ADD COLUMN "notices" json;--> statement-breakpoint
ALTER TABLE "alert_firings" ADD COLUMN "is_open" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "held_alerts" ADD COLUMN "ended_at" bigint;--> statement-breakpoint
ALTER TABLE "held_alerts" ADD COLUMN "mail_id" bigint;--> statement-breakpoint
CREATE INDEX "push_results_by_time" ON "push_results" USING btree ("at");--> statement-breakpoint
CREATE INDEX "alert_firings_open" ON "alert_firings" USING btree ("is_open","published_at");