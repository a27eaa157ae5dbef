CREATE TABLE `network_keys` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`hash` text NOT NULL,
	`label` text NOT NULL,
	`account_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `network_keys_hash_unique` ON `network_keys` (`hash`);--> statement-breakpoint
CREATE INDEX `network_keys_by_account` ON `network_keys` (`account_id`);--> statement-breakpoint
CREATE TABLE `network_numbers` (
	`kind` text NOT NULL,
	`value` text NOT NULL,
	`device_id` integer NOT NULL,
	PRIMARY KEY(`kind`, `value`),
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `network_numbers_by_device` ON `network_numbers` (`device_id`,`kind`);--> statement-breakpoint
CREATE TABLE `uplink_mappings` (
	`device_id` integer PRIMARY KEY NOT NULL,
	`lat` text,
	`lng` text,
	`battery` text,
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `uplinks` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`device_id` integer NOT NULL,
	`network` text NOT NULL,
	`uplink_id` text NOT NULL,
	`body` text NOT NULL,
	`received_at` integer NOT NULL,
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `uplinks_by_uplink_id` ON `uplinks` (`device_id`,`uplink_id`);--> statement-breakpoint
CREATE INDEX `uplinks_by_time` ON `uplinks` (`received_at`);