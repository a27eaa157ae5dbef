CREATE TABLE `alert_firings` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`device_id` integer NOT NULL,
	`at` integer NOT NULL,
	`kind` text NOT NULL,
	`about_id` integer,
	`about` text,
	`mails` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `alert_firings_by_account` ON `alert_firings` (`account_id`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `alert_firings_by_device` ON `alert_firings` (`device_id`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `alert_firings_by_time` ON `alert_firings` (`at`);