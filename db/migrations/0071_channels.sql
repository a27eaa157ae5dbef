CREATE TABLE `channel_deliveries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`channel_id` integer NOT NULL,
	`type` text NOT NULL,
	`content` text NOT NULL,
	`is_urgent` integer NOT NULL,
	`created_at` integer NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer NOT NULL,
	`ended_at` integer,
	`failure` text,
	FOREIGN KEY (`channel_id`) REFERENCES `channels`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `channel_deliveries_by_channel` ON `channel_deliveries` (`channel_id`,`id`);--> statement-breakpoint
CREATE INDEX `channel_deliveries_due` ON `channel_deliveries` (`ended_at`,`next_attempt_at`);--> statement-breakpoint
CREATE TABLE `channels` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`kind` text NOT NULL,
	`label` text NOT NULL,
	`target` text NOT NULL,
	`secret` text,
	`created_at` integer NOT NULL,
	`code_hash` text,
	`code_at` integer,
	`code_tries` integer DEFAULT 0 NOT NULL,
	`verified_at` integer,
	`stopped_at` integer,
	`stop_reason` text,
	`last_at` integer,
	`last_failure` text,
	`failing_since` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `channels_by_user` ON `channels` (`user_id`);