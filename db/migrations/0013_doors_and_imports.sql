CREATE TABLE `key_messages` (
	`key_id` integer NOT NULL,
	`device_id` integer NOT NULL,
	`at` integer NOT NULL,
	`protocol` text NOT NULL,
	`outcome` text NOT NULL,
	`reason` text,
	`positions` integer NOT NULL,
	PRIMARY KEY(`key_id`, `device_id`),
	FOREIGN KEY (`key_id`) REFERENCES `device_keys`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `key_messages_by_device` ON `key_messages` (`device_id`);--> statement-breakpoint
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
	`latitude` text,
	`longitude` text,
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
CREATE INDEX `uplinks_by_time` ON `uplinks` (`received_at`);--> statement-breakpoint
CREATE TABLE `import_blocks` (
	`import_id` integer NOT NULL,
	`nth` integer NOT NULL,
	`is_saved` integer DEFAULT false NOT NULL,
	`data` text NOT NULL,
	PRIMARY KEY(`import_id`, `nth`),
	FOREIGN KEY (`import_id`) REFERENCES `imports`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `imports` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`device_id` integer NOT NULL,
	`filename` text NOT NULL,
	`format` text NOT NULL,
	`state` text NOT NULL,
	`count` integer NOT NULL,
	`saved` integer DEFAULT 0 NOT NULL,
	`added` integer DEFAULT 0 NOT NULL,
	`first_at` integer NOT NULL,
	`last_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `imports_by_device` ON `imports` (`device_id`);