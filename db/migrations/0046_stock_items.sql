CREATE TABLE `included_months_used` (
	`key` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `stock_items` (
	`identifier` text PRIMARY KEY NOT NULL,
	`serial` text NOT NULL,
	`type` text NOT NULL,
	`board_name` text NOT NULL,
	`included_months` integer DEFAULT 12 NOT NULL,
	`batch` text,
	`added_at` integer,
	`blocked_at` integer,
	`order_reference` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `stock_items_by_serial` ON `stock_items` (`serial`);--> statement-breakpoint
CREATE INDEX `stock_items_by_batch` ON `stock_items` (`batch`,`identifier`);--> statement-breakpoint
INSERT INTO `stock_items` (`identifier`, `serial`, `type`, `board_name`) SELECT `identifier`, `serial`, `type`, `board_name` FROM `factory_devices`;--> statement-breakpoint
-- A claimed tracker was deleted from the old table.
INSERT OR IGNORE INTO `stock_items` (`identifier`, `serial`, `type`, `board_name`)
  SELECT `identifier`, `serial`, `type`, `board_name` FROM `devices` WHERE `identifier` IS NOT NULL AND `serial` IS NOT NULL;--> statement-breakpoint
INSERT INTO `included_months_used` (`key`, `at`)
  SELECT `identifier`, coalesce((SELECT min(`started_at`) FROM `subscriptions` WHERE `device_id` = `devices`.`id`), `created_at`)
  FROM `devices` WHERE `identifier` IS NOT NULL AND `sub_state` IN ('active', 'ended');--> statement-breakpoint
DROP TABLE `factory_devices`;