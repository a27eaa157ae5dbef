CREATE TABLE `payment_cursors` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `unexplained_payments` (
	`id` text PRIMARY KEY NOT NULL,
	`customer` text,
	`reason` text NOT NULL,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`paid_at` integer NOT NULL,
	`found_at` integer NOT NULL,
	`accepted_at` integer
);
--> statement-breakpoint
CREATE INDEX `unexplained_payments_by_customer` ON `unexplained_payments` (`customer`);--> statement-breakpoint
ALTER TABLE `invoices` ADD `refunded` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `invoices` ADD `dispute` text;--> statement-breakpoint
ALTER TABLE `payment_events` ADD `charge` text;