CREATE TABLE `held_alerts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`account_id` integer NOT NULL,
	`device_id` integer NOT NULL,
	`at` integer NOT NULL,
	`kind` text NOT NULL,
	`place` text,
	`until` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `held_alerts_by_end` ON `held_alerts` (`until`);--> statement-breakpoint
CREATE INDEX `held_alerts_by_user` ON `held_alerts` (`user_id`,`account_id`);--> statement-breakpoint
ALTER TABLE `users` ADD `quiet_from` text;--> statement-breakpoint
ALTER TABLE `users` ADD `quiet_to` text;