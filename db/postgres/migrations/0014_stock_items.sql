CREATE TABLE "included_months_used" (
	"key" text COLLATE "C" PRIMARY KEY NOT NULL,
	"at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "stock_items" (
	"identifier" text COLLATE "C" PRIMARY KEY NOT NULL,
	"serial" text COLLATE "C" NOT NULL,
	"type" text COLLATE "C" NOT NULL,
	"board_name" text COLLATE "C" NOT NULL,
	"included_months" bigint DEFAULT 12 NOT NULL,
	"batch" text COLLATE "C",
	"added_at" bigint,
	"blocked_at" bigint,
	"order_reference" text COLLATE "C"
);
--> statement-breakpoint
CREATE UNIQUE INDEX "stock_items_by_serial" ON "stock_items" USING btree ("serial");--> statement-breakpoint
CREATE INDEX "stock_items_by_batch" ON "stock_items" USING btree ("batch","identifier");--> statement-breakpoint
INSERT INTO "stock_items" ("identifier", "serial", "type", "board_name") SELECT "identifier", "serial", "type", "board_name" FROM "factory_devices";--> statement-breakpoint
-- A claimed tracker was deleted from the old table.
INSERT INTO "stock_items" ("identifier", "serial", "type", "board_name")
  SELECT "identifier", "serial", "type", "board_name" FROM "devices" WHERE "identifier" IS NOT NULL AND "serial" IS NOT NULL
  ON CONFLICT DO NOTHING;--> statement-breakpoint
INSERT INTO "included_months_used" ("key", "at")
  SELECT "identifier", coalesce((SELECT min("started_at") FROM "subscriptions" WHERE "device_id" = "devices"."id"), "created_at")
  FROM "devices" WHERE "identifier" IS NOT NULL AND "sub_state" IN ('active', 'ended');--> statement-breakpoint
DROP TABLE "factory_devices";--> statement-breakpoint
-- Servers of the release before, which still run during an update, find trackers and add them here; the next release drops it.
CREATE VIEW "factory_devices" AS SELECT "identifier", "serial", "type", "board_name" FROM "stock_items";--> statement-breakpoint
CREATE RULE "keep_stock_items" AS ON DELETE TO "factory_devices" DO INSTEAD NOTHING;