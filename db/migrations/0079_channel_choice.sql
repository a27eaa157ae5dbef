CREATE TABLE `channel_devices` (
	`channel_id` integer NOT NULL,
	`device_id` integer NOT NULL,
	PRIMARY KEY(`channel_id`, `device_id`),
	FOREIGN KEY (`channel_id`) REFERENCES `channels`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `channel_devices_by_device` ON `channel_devices` (`device_id`);--> statement-breakpoint
ALTER TABLE `channels` ADD `is_for_all_devices` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `channels` ADD `kinds` text;--> statement-breakpoint
CREATE INDEX `channel_deliveries_by_time` ON `channel_deliveries` (`channel_id`,`created_at`);