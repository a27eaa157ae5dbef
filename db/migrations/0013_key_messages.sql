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
CREATE INDEX `key_messages_by_device` ON `key_messages` (`device_id`);