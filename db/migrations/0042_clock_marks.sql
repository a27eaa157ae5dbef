CREATE TABLE `refused_fixes` (
	`device_id` integer NOT NULL,
	`reason` text NOT NULL,
	`count` integer NOT NULL,
	`first_at` integer NOT NULL,
	`last_at` integer NOT NULL,
	`last_time` integer NOT NULL,
	PRIMARY KEY(`device_id`, `reason`),
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `clock_marks` (
	`key` text PRIMARY KEY NOT NULL,
	`seen_at` integer NOT NULL,
	`ignored_until` integer,
	`removal_lag` integer DEFAULT 0 NOT NULL
);
