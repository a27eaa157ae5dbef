CREATE TABLE "live_marks" (
	"account_id" bigint PRIMARY KEY NOT NULL,
	"pruned_to" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "live_events" ADD COLUMN "account_id" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE "live_events" SET "account_id" = "devices"."account_id" FROM "devices" WHERE "devices"."id" = "live_events"."device_id";--> statement-breakpoint
INSERT INTO "live_marks" ("account_id", "pruned_to") SELECT 0, min("id") - 1 FROM "live_events" HAVING count(*) > 0;--> statement-breakpoint
CREATE INDEX "live_events_by_account" ON "live_events" USING btree ("account_id","id");
