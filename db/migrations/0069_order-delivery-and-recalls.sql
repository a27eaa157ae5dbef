ALTER TABLE `orders` ADD `delivery` text;--> statement-breakpoint
ALTER TABLE `price_changes` ADD `recalled_up_to` integer;--> statement-breakpoint
ALTER TABLE `price_changes` ADD `recalled_at` integer;--> statement-breakpoint
CREATE INDEX `price_changes_to_recall` ON `price_changes` (`cancelled_at`) WHERE cancelled_at is not null and recalled_at is null;--> statement-breakpoint
ALTER TABLE `price_notices` ADD `is_mailed` integer DEFAULT true NOT NULL;