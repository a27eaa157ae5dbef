CREATE TABLE `price_changes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`price_id` text NOT NULL,
	`unit_amount` integer NOT NULL,
	`former_amount` integer NOT NULL,
	`starts_at` integer NOT NULL,
	`running` text NOT NULL,
	`notice_at` integer NOT NULL,
	`notice_days` integer NOT NULL,
	`noticed_up_to` integer,
	`noticed_at` integer,
	`applied_at` integer,
	`cancelled_at` integer,
	`created_at` integer NOT NULL,
	`created_by` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `price_changes_by_price` ON `price_changes` (`price_id`,`starts_at`);--> statement-breakpoint
CREATE INDEX `price_changes_by_start` ON `price_changes` (`starts_at`,`id`);--> statement-breakpoint
CREATE INDEX `price_changes_open` ON `price_changes` (`starts_at`) WHERE cancelled_at is null and applied_at is null;--> statement-breakpoint
CREATE INDEX `price_changes_to_notice` ON `price_changes` (`notice_at`) WHERE cancelled_at is null and noticed_at is null;--> statement-breakpoint
CREATE TABLE `price_notices` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`change_id` integer NOT NULL,
	`account_id` integer NOT NULL,
	`provider_id` text NOT NULL,
	`noticed_at` integer NOT NULL,
	`due_at` integer NOT NULL,
	`changed_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `price_notices_of_change` ON `price_notices` (`change_id`,`provider_id`);--> statement-breakpoint
CREATE INDEX `price_notices_by_account` ON `price_notices` (`account_id`);--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `renewal_amount` integer;--> statement-breakpoint
CREATE INDEX `subscriptions_by_price` ON `subscriptions` (`price_id`,`id`) WHERE provider_id is not null;