CREATE TABLE `withdrawals` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`received_at` integer NOT NULL,
	`reference` text NOT NULL,
	`email` text NOT NULL,
	`name` text,
	`order_reference` text,
	`account_id` integer,
	`outcome` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `withdrawals_by_order` ON `withdrawals` (`order_reference`);--> statement-breakpoint
CREATE INDEX `withdrawals_by_account` ON `withdrawals` (`account_id`);--> statement-breakpoint
CREATE INDEX `withdrawals_by_time` ON `withdrawals` (`received_at`);