CREATE TABLE `photos` (
	`device_id` integer PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`large` blob NOT NULL,
	`small` blob NOT NULL,
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `photos_by_hash` ON `photos` (`hash`);--> statement-breakpoint
ALTER TABLE `devices` ADD `icon` text;--> statement-breakpoint
ALTER TABLE `devices` ADD `photo` text;