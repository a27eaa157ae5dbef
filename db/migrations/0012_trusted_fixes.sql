CREATE TABLE `late_periods` (
	`device_id` integer NOT NULL,
	`start` integer NOT NULL,
	`due_at` integer NOT NULL,
	PRIMARY KEY(`device_id`, `start`),
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `late_periods_by_due` ON `late_periods` (`due_at`);--> statement-breakpoint
CREATE TABLE `tracking_states` (
	`device_id` integer PRIMARY KEY NOT NULL,
	`state` text NOT NULL,
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade
);
