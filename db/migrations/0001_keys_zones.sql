PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_device_keys` (
	`id` integer PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`label` text NOT NULL,
	`device_id` integer,
	`created_at` integer,
	`last_used_at` integer,
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
INSERT INTO `__new_device_keys`("hash", "label") SELECT "hash", "label" FROM `device_keys`;--> statement-breakpoint
DROP TABLE `device_keys`;--> statement-breakpoint
ALTER TABLE `__new_device_keys` RENAME TO `device_keys`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE UNIQUE INDEX `device_keys_hash_unique` ON `device_keys` (`hash`);--> statement-breakpoint
CREATE INDEX `device_keys_by_device` ON `device_keys` (`device_id`);--> statement-breakpoint
CREATE TABLE `__new_live_events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`device_id` integer NOT NULL,
	`type` text NOT NULL,
	`body` text NOT NULL,
	`at` integer NOT NULL,
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
INSERT INTO `__new_live_events`("id", "device_id", "type", "body", "at") SELECT "id", "device_id", "type", "body", "at" FROM `live_events`;--> statement-breakpoint
DROP TABLE `live_events`;--> statement-breakpoint
ALTER TABLE `__new_live_events` RENAME TO `live_events`;--> statement-breakpoint
CREATE INDEX `live_events_by_device` ON `live_events` (`device_id`);--> statement-breakpoint
ALTER TABLE `users` ADD `time_zone` text;--> statement-breakpoint
ALTER TABLE `emails` ADD `time_zone` text;--> statement-breakpoint
ALTER TABLE `public_links` ADD `end_told_at` integer;