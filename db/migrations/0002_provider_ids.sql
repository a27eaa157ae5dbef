ALTER TABLE `invoices` ADD `tax` integer;--> statement-breakpoint
ALTER TABLE `invoices` ADD `lines` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `invoices` ADD `provider_id` text;--> statement-breakpoint
CREATE UNIQUE INDEX `invoices_providerId_unique` ON `invoices` (`provider_id`);--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `provider_id` text;--> statement-breakpoint
UPDATE `invoices` SET
	`lines` = coalesce((SELECT `orders`.`lines` FROM `orders` WHERE `orders`.`reference` = `invoices`.`order_reference`), `lines`),
	`tax` = (SELECT `orders`.`tax` FROM `orders` WHERE `orders`.`reference` = `invoices`.`order_reference`);
