CREATE TABLE `announcements` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`level` text NOT NULL,
	`texts` text NOT NULL,
	`starts_at` integer NOT NULL,
	`ends_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`is_mailed` integer DEFAULT false NOT NULL,
	`mailed_up_to` integer,
	`mailed_at` integer
);
--> statement-breakpoint
CREATE INDEX `announcements_by_end` ON `announcements` (`ends_at`);