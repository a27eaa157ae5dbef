ALTER TABLE `orders` ADD `picked_at` integer;--> statement-breakpoint
ALTER TABLE `orders` ADD `shipped_at` integer;--> statement-breakpoint
ALTER TABLE `orders` ADD `carrier` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `tracking` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `delivered_at` integer;--> statement-breakpoint
ALTER TABLE `orders` ADD `returned_at` integer;--> statement-breakpoint
CREATE INDEX `orders_by_date` ON `orders` (`date`,`reference`);--> statement-breakpoint
CREATE INDEX `orders_by_status` ON `orders` (`status`,`date`,`reference`);--> statement-breakpoint
CREATE INDEX `orders_by_return` ON `orders` (`returned_at`);--> statement-breakpoint
CREATE INDEX `orders_by_tracking` ON `orders` (`tracking`);--> statement-breakpoint
CREATE INDEX `care_claims_by_order` ON `care_claims` (`order_reference`);--> statement-breakpoint
CREATE INDEX `stock_items_by_order` ON `stock_items` (`order_reference`);