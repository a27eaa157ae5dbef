CREATE TABLE `deeds` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`kind` text NOT NULL,
	`actor` text NOT NULL,
	`who` text NOT NULL,
	`subject` text NOT NULL,
	`account_id` integer,
	`detail` text NOT NULL,
	`repeat_key` text,
	`request_hash` text,
	`response` text
);
--> statement-breakpoint
CREATE INDEX `deeds_by_time` ON `deeds` (`at`);--> statement-breakpoint
CREATE INDEX `deeds_by_account` ON `deeds` (`account_id`,`id`);--> statement-breakpoint
CREATE INDEX `deeds_by_subject` ON `deeds` (`subject`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `deeds_by_key` ON `deeds` (`actor`,`repeat_key`);--> statement-breakpoint
CREATE TABLE `staff` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`email` text NOT NULL,
	`name` text NOT NULL,
	`role` text NOT NULL,
	`password_hash` text,
	`totp_secret` text,
	`totp_step` integer,
	`invitation_hash` text,
	`invitation_ends_at` integer,
	`created_at` integer NOT NULL,
	`removed_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `staff_email_unique` ON `staff` (`email`);--> statement-breakpoint
CREATE UNIQUE INDEX `staff_invitationHash_unique` ON `staff` (`invitation_hash`);--> statement-breakpoint
CREATE TABLE `staff_keys` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`hash` text NOT NULL,
	`label` text NOT NULL,
	`role` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	`ended_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `staff_keys_hash_unique` ON `staff_keys` (`hash`);--> statement-breakpoint
CREATE TABLE `staff_recovery_codes` (
	`hash` text PRIMARY KEY NOT NULL,
	`staff_id` integer NOT NULL,
	FOREIGN KEY (`staff_id`) REFERENCES `staff`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `staff_recovery_codes_by_staff` ON `staff_recovery_codes` (`staff_id`);--> statement-breakpoint
CREATE TABLE `staff_sessions` (
	`hash` text PRIMARY KEY NOT NULL,
	`staff_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`agent` text,
	`place` text,
	FOREIGN KEY (`staff_id`) REFERENCES `staff`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `staff_sessions_by_staff` ON `staff_sessions` (`staff_id`);