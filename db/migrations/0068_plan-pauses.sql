CREATE TABLE `plan_pauses` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`device_id` integer NOT NULL,
	`provider_id` text,
	`provider_end` integer,
	`is_own` integer NOT NULL,
	`started_at` integer NOT NULL,
	`until` integer NOT NULL,
	`resumed_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `plan_pauses_by_account` ON `plan_pauses` (`account_id`,`id`) WHERE resumed_at is null;--> statement-breakpoint
CREATE INDEX `plan_pauses_by_device` ON `plan_pauses` (`device_id`,`started_at`);--> statement-breakpoint
CREATE INDEX `plan_pauses_by_provider` ON `plan_pauses` (`provider_id`,`id`);--> statement-breakpoint
CREATE INDEX `plan_pauses_by_end` ON `plan_pauses` (`until`) WHERE resumed_at is null;--> statement-breakpoint
ALTER TABLE `devices` ADD `paused_from` integer;--> statement-breakpoint
ALTER TABLE `devices` ADD `paused_until` integer;--> statement-breakpoint
ALTER TABLE `unlink_requests` ADD `pause_until` integer;