CREATE TABLE `address_cells` (
	`cell` integer PRIMARY KEY NOT NULL,
	`address` text,
	`found_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `archived_invoices` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`number` text NOT NULL,
	`date` integer NOT NULL,
	`billed_to` text NOT NULL,
	`amount` integer NOT NULL,
	`balance` integer NOT NULL,
	`currency` text NOT NULL,
	`status` text NOT NULL,
	`order_reference` text,
	`tax` integer,
	`lines` text NOT NULL,
	`archived_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `archived_invoices_number_unique` ON `archived_invoices` (`number`);--> statement-breakpoint
CREATE INDEX `archived_invoices_by_date` ON `archived_invoices` (`date`);