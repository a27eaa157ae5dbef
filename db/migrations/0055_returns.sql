CREATE TABLE `credit_notes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer,
	`number` text NOT NULL,
	`invoice_number` text NOT NULL,
	`date` integer NOT NULL,
	`amount` integer NOT NULL,
	`tax` integer,
	`currency` text NOT NULL,
	`reason` text NOT NULL,
	`provider_id` text NOT NULL,
	`voided_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `credit_notes_number_unique` ON `credit_notes` (`number`);--> statement-breakpoint
CREATE UNIQUE INDEX `credit_notes_providerId_unique` ON `credit_notes` (`provider_id`);--> statement-breakpoint
CREATE INDEX `credit_notes_by_invoice` ON `credit_notes` (`invoice_number`);--> statement-breakpoint
CREATE INDEX `credit_notes_by_date` ON `credit_notes` (`date`);--> statement-breakpoint
CREATE INDEX `credit_notes_by_account` ON `credit_notes` (`account_id`);--> statement-breakpoint
CREATE TABLE `invoice_payments` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` integer,
	`invoice_number` text NOT NULL,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`paid_at` integer NOT NULL,
	`card_brand` text,
	`card_last4` text,
	`country` text
);
--> statement-breakpoint
CREATE INDEX `invoice_payments_by_invoice` ON `invoice_payments` (`invoice_number`);--> statement-breakpoint
CREATE INDEX `invoice_payments_by_date` ON `invoice_payments` (`paid_at`);--> statement-breakpoint
CREATE INDEX `invoice_payments_by_account` ON `invoice_payments` (`account_id`);--> statement-breakpoint
CREATE INDEX `invoices_by_date` ON `invoices` (`date`,`id`);--> statement-breakpoint
CREATE INDEX `invoices_by_status` ON `invoices` (`status`,`date`,`id`);--> statement-breakpoint
CREATE INDEX `invoices_by_refund` ON `invoices` (`date`,`id`) WHERE refunded > 0;--> statement-breakpoint
CREATE INDEX `invoices_by_dispute` ON `invoices` (`date`,`id`) WHERE dispute is not null;