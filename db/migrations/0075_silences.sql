CREATE TABLE `alert_silence_devices` (
	`silence_id` integer NOT NULL,
	`device_id` integer NOT NULL,
	PRIMARY KEY(`silence_id`, `device_id`),
	FOREIGN KEY (`silence_id`) REFERENCES `alert_silences`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `alert_silence_devices_by_device` ON `alert_silence_devices` (`device_id`);--> statement-breakpoint
CREATE TABLE `alert_silences` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`user_id` integer,
	`is_for_all_devices` integer NOT NULL,
	`place_id` integer,
	`kinds` text,
	`created_at` integer NOT NULL,
	`until` integer NOT NULL,
	`note` text,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`place_id`) REFERENCES `places`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `alert_silences_by_account` ON `alert_silences` (`account_id`,`until`);--> statement-breakpoint
CREATE INDEX `alert_silences_by_end` ON `alert_silences` (`until`);