CREATE TABLE `care_claims` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`device_id` integer NOT NULL,
	`reason` text NOT NULL,
	`description` text NOT NULL,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	`closed_at` integer,
	`checkout_id` text,
	`order_reference` text,
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `care_claims_by_device` ON `care_claims` (`device_id`);--> statement-breakpoint
CREATE INDEX `care_claims_by_checkout` ON `care_claims` (`checkout_id`);