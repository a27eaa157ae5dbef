CREATE TABLE `plan_moves` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`from_device_id` integer NOT NULL,
	`to_device_id` integer NOT NULL,
	`is_own` integer NOT NULL,
	`moved_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `plan_moves_by_account` ON `plan_moves` (`account_id`,`moved_at`);--> statement-breakpoint
ALTER TABLE `unlink_requests` ADD `kind` text DEFAULT 'tracker' NOT NULL;--> statement-breakpoint
ALTER TABLE `unlink_requests` ADD `from_device_id` integer;--> statement-breakpoint
ALTER TABLE `unlink_requests` ADD `to_device_id` integer;