PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_devices` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
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
	`network_activated_at` integer,
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
INSERT INTO `__new_devices`("id", "account_id", "type", "board_name", "name", "identifier", "serial", "kind", "tag_id", "operator", "is_linked_to_pro", "active_collar_since", "created_at", "mode", "pending_mode", "network_state", "network_activated_at", "boost_until", "sub_state", "sub_end_date", "battery", "lat", "lng", "precision", "position_at", "address", "last_event", "last_event_at", "last_message_at", "stationary_since", "online_since") SELECT "id", "account_id", "type", "board_name", "name", "identifier", "serial", "kind", "tag_id", "operator", "is_linked_to_pro", "active_collar_since", "created_at", "mode", "pending_mode", "network_state", "network_activated_at", "boost_until", "sub_state", "sub_end_date", "battery", "lat", "lng", "precision", "position_at", "address", "last_event", "last_event_at", "last_message_at", "stationary_since", "online_since" FROM `devices`;--> statement-breakpoint
DROP TABLE `devices`;--> statement-breakpoint
ALTER TABLE `__new_devices` RENAME TO `devices`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE UNIQUE INDEX `devices_identifier_unique` ON `devices` (`identifier`);--> statement-breakpoint
CREATE UNIQUE INDEX `devices_serial_unique` ON `devices` (`serial`);--> statement-breakpoint
CREATE INDEX `devices_by_account` ON `devices` (`account_id`);