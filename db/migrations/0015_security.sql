CREATE TABLE `known_browsers` (
	`user_id` integer NOT NULL,
	`hash` text NOT NULL,
	`agent` text,
	`place` text,
	`last_seen_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `hash`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `security_log` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`user_id` integer,
	`at` integer NOT NULL,
	`kind` text NOT NULL,
	`actor_id` integer,
	`who` text,
	`place` text,
	`about_id` integer,
	`about` text,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `security_log_by_account` ON `security_log` (`account_id`,`id`);--> statement-breakpoint
CREATE INDEX `security_log_by_actor` ON `security_log` (`actor_id`,`at`);--> statement-breakpoint
CREATE INDEX `security_log_by_time` ON `security_log` (`at`);--> statement-breakpoint
ALTER TABLE `email_keys` ADD `session` text;--> statement-breakpoint
ALTER TABLE `tokens` ADD `created_at` integer NOT NULL DEFAULT 0;--> statement-breakpoint
ALTER TABLE `tokens` ADD `last_seen_at` integer NOT NULL DEFAULT 0;--> statement-breakpoint
-- A session began 30 days before its end. It counts as last used 14 days before the end, so that the update ends none early.
UPDATE `tokens` SET `created_at` = `expires_at` - 2592000000, `last_seen_at` = `expires_at` - 1209600000;--> statement-breakpoint
ALTER TABLE `tokens` ADD `agent` text;--> statement-breakpoint
ALTER TABLE `tokens` ADD `place` text;--> statement-breakpoint
CREATE INDEX `tokens_by_use` ON `tokens` (`last_seen_at`);