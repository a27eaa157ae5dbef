CREATE TABLE `push_results` (
	`push_id` integer PRIMARY KEY NOT NULL,
	`outcome` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `push_results_by_time` ON `push_results` (`at`);--> statement-breakpoint
ALTER TABLE `alert_firings` ADD `lat` integer;--> statement-breakpoint
ALTER TABLE `alert_firings` ADD `lng` integer;--> statement-breakpoint
ALTER TABLE `alert_firings` ADD `precision` integer;--> statement-breakpoint
ALTER TABLE `alert_firings` ADD `address` text;--> statement-breakpoint
ALTER TABLE `alert_firings` ADD `published_at` integer;--> statement-breakpoint
ALTER TABLE `alert_firings` ADD `notices` text;--> statement-breakpoint
ALTER TABLE `alert_firings` ADD `is_open` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `alert_firings_open` ON `alert_firings` (`is_open`,`published_at`);--> statement-breakpoint
ALTER TABLE `held_alerts` ADD `ended_at` integer;--> statement-breakpoint
ALTER TABLE `held_alerts` ADD `mail_id` integer;