CREATE TABLE `api_token_devices` (
	`token_hash` text NOT NULL,
	`device_id` integer NOT NULL,
	PRIMARY KEY(`token_hash`, `device_id`),
	FOREIGN KEY (`token_hash`) REFERENCES `api_tokens`(`hash`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `api_token_devices_by_device` ON `api_token_devices` (`device_id`);--> statement-breakpoint
CREATE TABLE `api_tokens` (
	`hash` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`label` text NOT NULL,
	`scopes` text NOT NULL,
	`is_limited` integer NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`last_used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `api_tokens_by_user` ON `api_tokens` (`user_id`);--> statement-breakpoint
CREATE INDEX `api_tokens_by_end` ON `api_tokens` (`expires_at`);