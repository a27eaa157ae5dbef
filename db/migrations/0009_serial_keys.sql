PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_accounts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`is_pro` integer DEFAULT false NOT NULL,
	`admin_email` text,
	`stripe_customer` text
);
--> statement-breakpoint
INSERT INTO `__new_accounts`("id", "is_pro", "admin_email", "stripe_customer") SELECT "id", "is_pro", "admin_email", "stripe_customer" FROM `accounts`;--> statement-breakpoint
DROP TABLE `accounts`;--> statement-breakpoint
ALTER TABLE `__new_accounts` RENAME TO `accounts`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_stripeCustomer_unique` ON `accounts` (`stripe_customer`);--> statement-breakpoint
CREATE TABLE `__new_users` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`username` text NOT NULL,
	`email` text NOT NULL,
	`email_confirmed` integer DEFAULT false NOT NULL,
	`role` text DEFAULT 'user' NOT NULL,
	`first_name` text NOT NULL,
	`last_name` text NOT NULL,
	`birth_date` text,
	`password_hash` text,
	`marketing_consent` integer DEFAULT false NOT NULL,
	`language` text DEFAULT 'en' NOT NULL,
	`currency` text DEFAULT 'eur' NOT NULL,
	`time_zone` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
INSERT INTO `__new_users`("id", "account_id", "username", "email", "email_confirmed", "role", "first_name", "last_name", "birth_date", "password_hash", "marketing_consent", "language", "currency", "time_zone", "created_at") SELECT "id", "account_id", "username", "email", "email_confirmed", "role", "first_name", "last_name", "birth_date", "password_hash", "marketing_consent", "language", "currency", "time_zone", "created_at" FROM `users`;--> statement-breakpoint
DROP TABLE `users`;--> statement-breakpoint
ALTER TABLE `__new_users` RENAME TO `users`;--> statement-breakpoint
CREATE UNIQUE INDEX `users_username_unique` ON `users` (`username`);--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_unique` ON `users` (`email`);--> statement-breakpoint
CREATE TABLE `__new_invoices` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`number` text NOT NULL,
	`date` integer NOT NULL,
	`amount` integer NOT NULL,
	`balance` integer NOT NULL,
	`currency` text NOT NULL,
	`status` text NOT NULL,
	`order_reference` text,
	`tax` integer,
	`lines` text DEFAULT '[]' NOT NULL,
	`provider_id` text,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
INSERT INTO `__new_invoices`("id", "account_id", "number", "date", "amount", "balance", "currency", "status", "order_reference", "tax", "lines", "provider_id") SELECT "id", "account_id", "number", "date", "amount", "balance", "currency", "status", "order_reference", "tax", "lines", "provider_id" FROM `invoices`;--> statement-breakpoint
DROP TABLE `invoices`;--> statement-breakpoint
ALTER TABLE `__new_invoices` RENAME TO `invoices`;--> statement-breakpoint
CREATE UNIQUE INDEX `invoices_number_unique` ON `invoices` (`number`);--> statement-breakpoint
CREATE UNIQUE INDEX `invoices_providerId_unique` ON `invoices` (`provider_id`);--> statement-breakpoint
CREATE INDEX `invoices_by_account` ON `invoices` (`account_id`);--> statement-breakpoint
CREATE TABLE `__new_payment_tasks` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`ref` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer NOT NULL
);
--> statement-breakpoint
INSERT INTO `__new_payment_tasks`("id", "kind", "ref", "attempts", "next_attempt_at") SELECT "id", "kind", "ref", "attempts", "next_attempt_at" FROM `payment_tasks`;--> statement-breakpoint
DROP TABLE `payment_tasks`;--> statement-breakpoint
ALTER TABLE `__new_payment_tasks` RENAME TO `payment_tasks`;--> statement-breakpoint
CREATE UNIQUE INDEX `payment_tasks_ref` ON `payment_tasks` (`kind`,`ref`);--> statement-breakpoint
CREATE TABLE `__new_subscriptions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`device_id` integer NOT NULL,
	`price_id` text,
	`is_recurring` integer NOT NULL,
	`tax` integer,
	`months` integer NOT NULL,
	`extra` integer NOT NULL,
	`renews_at` integer,
	`ends_at` integer,
	`options` text NOT NULL,
	`started_at` integer NOT NULL,
	`provider_id` text,
	`status` text,
	`held_until` integer,
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`price_id`) REFERENCES `prices`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
INSERT INTO `__new_subscriptions`("id", "device_id", "price_id", "is_recurring", "tax", "months", "extra", "renews_at", "ends_at", "options", "started_at", "provider_id", "status", "held_until") SELECT "id", "device_id", "price_id", "is_recurring", "tax", "months", "extra", "renews_at", "ends_at", "options", "started_at", "provider_id", "status", "held_until" FROM `subscriptions`;--> statement-breakpoint
DROP TABLE `subscriptions`;--> statement-breakpoint
ALTER TABLE `__new_subscriptions` RENAME TO `subscriptions`;--> statement-breakpoint
CREATE INDEX `subscriptions_by_device` ON `subscriptions` (`device_id`);--> statement-breakpoint
CREATE INDEX `subscriptions_by_provider` ON `subscriptions` (`provider_id`);--> statement-breakpoint
CREATE TABLE `__new_device_keys` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`hash` text NOT NULL,
	`label` text NOT NULL,
	`device_id` integer,
	`created_at` integer,
	`last_used_at` integer,
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
INSERT INTO `__new_device_keys`("id", "hash", "label", "device_id", "created_at", "last_used_at") SELECT "id", "hash", "label", "device_id", "created_at", "last_used_at" FROM `device_keys`;--> statement-breakpoint
DROP TABLE `device_keys`;--> statement-breakpoint
ALTER TABLE `__new_device_keys` RENAME TO `device_keys`;--> statement-breakpoint
CREATE UNIQUE INDEX `device_keys_hash_unique` ON `device_keys` (`hash`);--> statement-breakpoint
CREATE INDEX `device_keys_by_device` ON `device_keys` (`device_id`);--> statement-breakpoint
CREATE TABLE `__new_tags` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`name` text NOT NULL,
	`key` text NOT NULL,
	`color` text NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
INSERT INTO `__new_tags`("id", "account_id", "name", "key", "color") SELECT "id", "account_id", "name", "key", "color" FROM `tags`;--> statement-breakpoint
DROP TABLE `tags`;--> statement-breakpoint
ALTER TABLE `__new_tags` RENAME TO `tags`;--> statement-breakpoint
CREATE UNIQUE INDEX `tags_by_key` ON `tags` (`account_id`,`key`);--> statement-breakpoint
CREATE TABLE `__new_emails` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer,
	`to` text NOT NULL,
	`template` text NOT NULL,
	`language` text NOT NULL,
	`time_zone` text,
	`data` text NOT NULL,
	`created_at` integer NOT NULL,
	`sent_at` integer,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
INSERT INTO `__new_emails`("id", "user_id", "to", "template", "language", "time_zone", "data", "created_at", "sent_at", "attempts", "next_attempt_at") SELECT "id", "user_id", "to", "template", "language", "time_zone", "data", "created_at", "sent_at", "attempts", "next_attempt_at" FROM `emails`;--> statement-breakpoint
DROP TABLE `emails`;--> statement-breakpoint
ALTER TABLE `__new_emails` RENAME TO `emails`;--> statement-breakpoint
CREATE INDEX `emails_by_recipient` ON `emails` (`to`);--> statement-breakpoint
CREATE INDEX `emails_by_user` ON `emails` (`user_id`);--> statement-breakpoint
CREATE INDEX `emails_unsent` ON `emails` (`sent_at`);--> statement-breakpoint
CREATE TABLE `__new_alerts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`name` text,
	`place_id` integer,
	`trigger` text,
	`is_vehicle_alert` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`place_id`) REFERENCES `places`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
INSERT INTO `__new_alerts`("id", "account_id", "name", "place_id", "trigger", "is_vehicle_alert") SELECT "id", "account_id", "name", "place_id", "trigger", "is_vehicle_alert" FROM `alerts`;--> statement-breakpoint
DROP TABLE `alerts`;--> statement-breakpoint
ALTER TABLE `__new_alerts` RENAME TO `alerts`;--> statement-breakpoint
CREATE INDEX `alerts_by_account` ON `alerts` (`account_id`);--> statement-breakpoint
CREATE TABLE `__new_contacts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`name` text NOT NULL,
	`email` text NOT NULL,
	`phone` text,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
INSERT INTO `__new_contacts`("id", "account_id", "name", "email", "phone") SELECT "id", "account_id", "name", "email", "phone" FROM `contacts`;--> statement-breakpoint
DROP TABLE `contacts`;--> statement-breakpoint
ALTER TABLE `__new_contacts` RENAME TO `contacts`;--> statement-breakpoint
CREATE UNIQUE INDEX `contacts_by_email` ON `contacts` (`account_id`,`email`);--> statement-breakpoint
CREATE TABLE `__new_places` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`name` text NOT NULL,
	`address` text NOT NULL,
	`type` text NOT NULL,
	`radius` integer NOT NULL,
	`lat` integer NOT NULL,
	`lng` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
INSERT INTO `__new_places`("id", "account_id", "name", "address", "type", "radius", "lat", "lng") SELECT "id", "account_id", "name", "address", "type", "radius", "lat", "lng" FROM `places`;--> statement-breakpoint
DROP TABLE `places`;--> statement-breakpoint
ALTER TABLE `__new_places` RENAME TO `places`;--> statement-breakpoint
CREATE INDEX `places_by_account` ON `places` (`account_id`);--> statement-breakpoint
CREATE TABLE `__new_theft_reports` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`device_id` integer NOT NULL,
	`date` integer NOT NULL,
	`address` text NOT NULL,
	`description` text NOT NULL,
	`police_reference` text,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	`closed_at` integer,
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
INSERT INTO `__new_theft_reports`("id", "device_id", "date", "address", "description", "police_reference", "status", "created_at", "closed_at") SELECT "id", "device_id", "date", "address", "description", "police_reference", "status", "created_at", "closed_at" FROM `theft_reports`;--> statement-breakpoint
DROP TABLE `theft_reports`;--> statement-breakpoint
ALTER TABLE `__new_theft_reports` RENAME TO `theft_reports`;--> statement-breakpoint
CREATE INDEX `theft_reports_by_device` ON `theft_reports` (`device_id`);--> statement-breakpoint
CREATE TABLE `__new_unlink_requests` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`identifier` text NOT NULL,
	`user_id` integer NOT NULL,
	`email` text NOT NULL,
	`reason` text NOT NULL,
	`message` text,
	`purchase_date` text,
	`purchase_place` text,
	`order_reference` text,
	`status` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
INSERT INTO `__new_unlink_requests`("id", "identifier", "user_id", "email", "reason", "message", "purchase_date", "purchase_place", "order_reference", "status", "created_at") SELECT "id", "identifier", "user_id", "email", "reason", "message", "purchase_date", "purchase_place", "order_reference", "status", "created_at" FROM `unlink_requests`;--> statement-breakpoint
DROP TABLE `unlink_requests`;--> statement-breakpoint
ALTER TABLE `__new_unlink_requests` RENAME TO `unlink_requests`;--> statement-breakpoint
CREATE INDEX `unlink_requests_by_identifier` ON `unlink_requests` (`identifier`);