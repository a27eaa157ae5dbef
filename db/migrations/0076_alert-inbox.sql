CREATE TABLE `firing_marks` (
	`firing_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`is_seen` integer NOT NULL,
	PRIMARY KEY(`firing_id`, `user_id`),
	FOREIGN KEY (`firing_id`) REFERENCES `alert_firings`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `firing_marks_by_user` ON `firing_marks` (`user_id`,`is_seen`);--> statement-breakpoint
ALTER TABLE `users` ADD `seen_firings` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `alert_firings` ADD `false_alarm_at` integer;--> statement-breakpoint
CREATE INDEX `alert_firings_by_number` ON `alert_firings` (`account_id`,`id`);