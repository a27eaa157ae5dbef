ALTER TABLE `accounts` ADD `retention_days` integer;--> statement-breakpoint
ALTER TABLE `accounts` ADD `retention_due_at` integer;--> statement-breakpoint
ALTER TABLE `accounts` ADD `positions_removed_before` integer;