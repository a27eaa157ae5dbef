CREATE TABLE `accounts` (
	`id` integer PRIMARY KEY NOT NULL,
	`is_pro` integer DEFAULT false NOT NULL,
	`admin_email` text,
	`stripe_customer` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_stripeCustomer_unique` ON `accounts` (`stripe_customer`);--> statement-breakpoint
CREATE TABLE `email_keys` (
	`hash` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`kind` text NOT NULL,
	`email` text,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `email_keys_by_user` ON `email_keys` (`user_id`,`kind`);--> statement-breakpoint
CREATE TABLE `team_devices` (
	`user_id` integer NOT NULL,
	`device_id` integer NOT NULL,
	PRIMARY KEY(`user_id`, `device_id`)
);
--> statement-breakpoint
CREATE TABLE `throttles` (
	`key` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL,
	`resets_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `tokens` (
	`hash` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `tokens_by_user` ON `tokens` (`user_id`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` integer PRIMARY KEY NOT NULL,
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
	`created_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_username_unique` ON `users` (`username`);--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_unique` ON `users` (`email`);--> statement-breakpoint
CREATE TABLE `checkouts` (
	`session_id` text PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`items` text NOT NULL,
	`granted_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `invoices` (
	`id` integer PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`number` text NOT NULL,
	`date` integer NOT NULL,
	`amount` integer NOT NULL,
	`balance` integer NOT NULL,
	`currency` text NOT NULL,
	`status` text NOT NULL,
	`order_reference` text,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invoices_number_unique` ON `invoices` (`number`);--> statement-breakpoint
CREATE INDEX `invoices_by_account` ON `invoices` (`account_id`);--> statement-breakpoint
CREATE TABLE `orders` (
	`reference` text PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`date` integer NOT NULL,
	`status` text NOT NULL,
	`total` integer NOT NULL,
	`tax` integer,
	`currency` text NOT NULL,
	`invoice_id` integer,
	`lines` text NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `orders_by_account` ON `orders` (`account_id`);--> statement-breakpoint
CREATE TABLE `payment_events` (
	`id` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`received_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `payment_methods` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`brand` text NOT NULL,
	`last4` text NOT NULL,
	`exp_month` integer NOT NULL,
	`exp_year` integer NOT NULL,
	`is_default` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `payment_methods_by_account` ON `payment_methods` (`account_id`);--> statement-breakpoint
CREATE TABLE `prices` (
	`id` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`name` text NOT NULL,
	`currency` text NOT NULL,
	`unit_amount` integer NOT NULL,
	`tax_behavior` text NOT NULL,
	`interval` text,
	`interval_count` integer,
	`months` integer NOT NULL,
	`extra` integer NOT NULL,
	`is_offered` integer DEFAULT true NOT NULL
);
--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`id` integer PRIMARY KEY NOT NULL,
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
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`price_id`) REFERENCES `prices`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `subscriptions_by_device` ON `subscriptions` (`device_id`);--> statement-breakpoint
CREATE TABLE `verification_codes` (
	`code` text PRIMARY KEY NOT NULL,
	`months` integer,
	`extra` integer,
	`device_id` integer,
	`used_at` integer
);
--> statement-breakpoint
CREATE TABLE `device_keys` (
	`hash` text PRIMARY KEY NOT NULL,
	`label` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `devices` (
	`id` integer PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`type` text NOT NULL,
	`board_name` text NOT NULL,
	`name` text NOT NULL,
	`identifier` text,
	`serial` text,
	`kind` text NOT NULL,
	`tag_id` integer,
	`operator` text,
	`is_linked_to_pro` integer DEFAULT false NOT NULL,
	`active_collar_since` integer,
	`created_at` integer NOT NULL,
	`mode` integer NOT NULL,
	`pending_mode` integer,
	`network_state` text DEFAULT 'active' NOT NULL,
	`boost_until` integer,
	`sub_state` text NOT NULL,
	`sub_end_date` integer,
	`battery` integer,
	`lat` integer,
	`lng` integer,
	`precision` integer,
	`position_at` integer,
	`address` text,
	`last_event` text,
	`last_event_at` integer,
	`last_message_at` integer,
	`stationary_since` integer,
	`online_since` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tag_id`) REFERENCES `tags`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `devices_identifier_unique` ON `devices` (`identifier`);--> statement-breakpoint
CREATE UNIQUE INDEX `devices_serial_unique` ON `devices` (`serial`);--> statement-breakpoint
CREATE INDEX `devices_by_account` ON `devices` (`account_id`);--> statement-breakpoint
CREATE TABLE `factory_devices` (
	`identifier` text PRIMARY KEY NOT NULL,
	`serial` text NOT NULL,
	`type` text NOT NULL,
	`board_name` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `factory_devices_serial_unique` ON `factory_devices` (`serial`);--> statement-breakpoint
CREATE TABLE `hidden_devices` (
	`user_id` integer NOT NULL,
	`device_id` integer NOT NULL,
	PRIMARY KEY(`user_id`, `device_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `sct2_params` (
	`device_id` integer PRIMARY KEY NOT NULL,
	`frequency` integer NOT NULL,
	`keepalive_period` integer NOT NULL,
	`temp_uplink_slices_duration` integer NOT NULL,
	`temp_slice_duration` integer NOT NULL,
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `tags` (
	`id` integer PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`name` text NOT NULL,
	`key` text NOT NULL,
	`color` text NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tags_by_key` ON `tags` (`account_id`,`key`);--> statement-breakpoint
CREATE TABLE `emails` (
	`id` integer PRIMARY KEY NOT NULL,
	`to` text NOT NULL,
	`template` text NOT NULL,
	`language` text NOT NULL,
	`data` text NOT NULL,
	`created_at` integer NOT NULL,
	`sent_at` integer,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer
);
--> statement-breakpoint
CREATE INDEX `emails_by_recipient` ON `emails` (`to`);--> statement-breakpoint
CREATE INDEX `emails_unsent` ON `emails` (`sent_at`);--> statement-breakpoint
CREATE TABLE `alert_contacts` (
	`alert_id` integer NOT NULL,
	`contact_id` integer NOT NULL,
	PRIMARY KEY(`alert_id`, `contact_id`),
	FOREIGN KEY (`alert_id`) REFERENCES `alerts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`contact_id`) REFERENCES `contacts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `alert_devices` (
	`alert_id` integer NOT NULL,
	`device_id` integer NOT NULL,
	`crossing` text,
	`fired_at` integer,
	PRIMARY KEY(`alert_id`, `device_id`),
	FOREIGN KEY (`alert_id`) REFERENCES `alerts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `alert_devices_by_device` ON `alert_devices` (`device_id`);--> statement-breakpoint
CREATE TABLE `alerts` (
	`id` integer PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`name` text,
	`place_id` integer,
	`trigger` text,
	`is_vehicle_alert` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`place_id`) REFERENCES `places`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `alerts_by_account` ON `alerts` (`account_id`);--> statement-breakpoint
CREATE TABLE `contacts` (
	`id` integer PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`name` text NOT NULL,
	`email` text NOT NULL,
	`phone` text,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `contacts_by_email` ON `contacts` (`account_id`,`email`);--> statement-breakpoint
CREATE TABLE `place_devices` (
	`place_id` integer NOT NULL,
	`device_id` integer NOT NULL,
	PRIMARY KEY(`place_id`, `device_id`),
	FOREIGN KEY (`place_id`) REFERENCES `places`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `places` (
	`id` integer PRIMARY KEY NOT NULL,
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
CREATE INDEX `places_by_account` ON `places` (`account_id`);--> statement-breakpoint
CREATE TABLE `live_events` (
	`id` integer PRIMARY KEY NOT NULL,
	`device_id` integer NOT NULL,
	`type` text NOT NULL,
	`body` text NOT NULL,
	`at` integer NOT NULL,
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `live_events_by_device` ON `live_events` (`device_id`);--> statement-breakpoint
CREATE TABLE `positions` (
	`device_id` integer NOT NULL,
	`time` integer NOT NULL,
	`lat` integer NOT NULL,
	`lng` integer NOT NULL,
	`precision` integer NOT NULL,
	`event` integer,
	`battery` integer,
	PRIMARY KEY(`device_id`, `time`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `public_links` (
	`uuid` text PRIMARY KEY NOT NULL,
	`device_id` integer NOT NULL,
	`label` text NOT NULL,
	`starts_at` integer,
	`ends_at` integer NOT NULL,
	`is_permanent` integer NOT NULL,
	`shows_last_point` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `public_links_by_device` ON `public_links` (`device_id`);--> statement-breakpoint
CREATE TABLE `serial_checks` (
	`identifier` text PRIMARY KEY NOT NULL,
	`remaining` integer NOT NULL,
	`proof_hash` text,
	`proof_expires_at` integer
);
--> statement-breakpoint
CREATE TABLE `theft_reports` (
	`id` integer PRIMARY KEY NOT NULL,
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
CREATE INDEX `theft_reports_by_device` ON `theft_reports` (`device_id`);--> statement-breakpoint
CREATE TABLE `unlink_requests` (
	`id` integer PRIMARY KEY NOT NULL,
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
CREATE INDEX `unlink_requests_by_identifier` ON `unlink_requests` (`identifier`);--> statement-breakpoint
CREATE TABLE `seeds` (
	`seed` integer PRIMARY KEY NOT NULL,
	`anchor` integer NOT NULL
);
