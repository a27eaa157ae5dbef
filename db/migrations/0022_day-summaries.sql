CREATE TABLE `day_summaries` (
	`device_id` integer NOT NULL,
	`start` integer NOT NULL,
	`end` integer NOT NULL,
	`meters` integer NOT NULL,
	`moving_seconds` integer NOT NULL,
	`top_speed` integer NOT NULL,
	`trips` integer NOT NULL,
	`stops` integer NOT NULL,
	`longest_stop_seconds` integer NOT NULL,
	`positions` integer NOT NULL,
	`first_time` integer,
	`last_time` integer,
	`is_stale` integer DEFAULT false NOT NULL,
	PRIMARY KEY(`device_id`, `start`, `end`),
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `day_summaries_by_stale` ON `day_summaries` (`is_stale`,`end`);