CREATE TABLE `code_batches` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`price_id` text,
	`months` integer NOT NULL,
	`extra` integer NOT NULL,
	`count` integer NOT NULL,
	`ends_at` integer,
	`created_at` integer NOT NULL,
	`created_by` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `past_claims` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`identifier` text NOT NULL,
	`account_id` integer,
	`claimed_at` integer NOT NULL,
	`removed_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `past_claims_by_identifier` ON `past_claims` (`identifier`);--> statement-breakpoint
CREATE INDEX `past_claims_by_account` ON `past_claims` (`account_id`);--> statement-breakpoint
ALTER TABLE `verification_codes` ADD `batch_id` integer;--> statement-breakpoint
ALTER TABLE `verification_codes` ADD `ends_at` integer;--> statement-breakpoint
ALTER TABLE `verification_codes` ADD `voided_at` integer;--> statement-breakpoint
ALTER TABLE `verification_codes` ADD `mailed_to` text;--> statement-breakpoint
CREATE INDEX `verification_codes_by_batch` ON `verification_codes` (`batch_id`,`code`);--> statement-breakpoint
CREATE INDEX `stock_items_by_type` ON `stock_items` (`type`,`identifier`);--> statement-breakpoint
CREATE INDEX `stock_items_by_blocked` ON `stock_items` (`blocked_at`,`identifier`);