CREATE TABLE `import_blocks` (
	`import_id` integer NOT NULL,
	`nth` integer NOT NULL,
	`is_saved` integer DEFAULT false NOT NULL,
	`data` text NOT NULL,
	PRIMARY KEY(`import_id`, `nth`),
	FOREIGN KEY (`import_id`) REFERENCES `imports`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `imports` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`device_id` integer NOT NULL,
	`filename` text NOT NULL,
	`format` text NOT NULL,
	`state` text NOT NULL,
	`count` integer NOT NULL,
	`saved` integer DEFAULT 0 NOT NULL,
	`added` integer DEFAULT 0 NOT NULL,
	`first_at` integer NOT NULL,
	`last_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `imports_by_device` ON `imports` (`device_id`);