ALTER TABLE `device_keys` ADD `created_by` integer;--> statement-breakpoint
ALTER TABLE `network_keys` ADD `created_by` integer;--> statement-breakpoint
ALTER TABLE `public_links` ADD `created_by` integer;