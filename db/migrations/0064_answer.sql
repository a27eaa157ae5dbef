ALTER TABLE `public_links` ADD `shared_by` text;--> statement-breakpoint
ALTER TABLE `public_links` ADD `phone` text;--> statement-breakpoint
ALTER TABLE `public_links` ADD `note` text;