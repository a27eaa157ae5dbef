CREATE TABLE `downlinks` (
	`device_id` integer PRIMARY KEY NOT NULL,
	`network` text NOT NULL,
	`url` text NOT NULL,
	`token` text NOT NULL,
	`mode` integer,
	`message_id` text,
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `network_servers` (
	`account_id` integer PRIMARY KEY NOT NULL,
	`url` text NOT NULL,
	`token` text NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
ALTER TABLE `devices` ADD `takes_downlinks` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `devices` ADD `course` integer;