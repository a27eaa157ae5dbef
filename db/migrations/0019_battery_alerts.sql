CREATE TABLE `battery_contacts` (
	`device_id` integer NOT NULL,
	`contact_id` integer NOT NULL,
	PRIMARY KEY(`device_id`, `contact_id`),
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`contact_id`) REFERENCES `contacts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
ALTER TABLE `devices` ADD `low_battery` integer;