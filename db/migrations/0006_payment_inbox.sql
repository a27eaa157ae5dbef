CREATE TABLE `payment_effects` (
	`key` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `payment_tasks` (
	`id` integer PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`ref` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `payment_tasks_ref` ON `payment_tasks` (`kind`,`ref`);--> statement-breakpoint
ALTER TABLE `checkouts` ADD `opened_at` integer;--> statement-breakpoint
CREATE INDEX `checkouts_by_account` ON `checkouts` (`account_id`);--> statement-breakpoint
ALTER TABLE `payment_events` ADD `customer` text;--> statement-breakpoint
ALTER TABLE `payment_events` ADD `handled_at` integer;--> statement-breakpoint
CREATE INDEX `payment_events_waiting` ON `payment_events` (`handled_at`,`customer`);--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `status` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `held_until` integer;--> statement-breakpoint
CREATE INDEX `subscriptions_by_provider` ON `subscriptions` (`provider_id`);--> statement-breakpoint
UPDATE `payment_events` SET `handled_at` = `received_at`;--> statement-breakpoint
UPDATE `subscriptions` SET `status` = 'active' WHERE `provider_id` IS NOT NULL;
