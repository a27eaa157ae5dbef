CREATE TABLE `usual_areas` (
	`device_id` integer PRIMARY KEY NOT NULL,
	`is_on` integer NOT NULL,
	`cells` text,
	`learnt` text,
	`learnt_at` integer,
	`due_at` integer,
	`version` integer DEFAULT 0 NOT NULL,
	`dismissed` text,
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `usual_areas_by_due` ON `usual_areas` (`due_at`);