CREATE TABLE `link_devices` (
	`link_uuid` text NOT NULL,
	`device_id` integer NOT NULL,
	PRIMARY KEY(`link_uuid`, `device_id`),
	FOREIGN KEY (`link_uuid`) REFERENCES `public_links`(`uuid`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `link_devices_by_device` ON `link_devices` (`device_id`);