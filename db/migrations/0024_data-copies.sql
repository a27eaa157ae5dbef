CREATE TABLE `data_copies` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	`ready_at` integer,
	`ends_at` integer NOT NULL,
	`size` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `data_copies_by_user` ON `data_copies` (`user_id`);--> statement-breakpoint
CREATE TABLE `data_copy_files` (
	`copy_id` integer NOT NULL,
	`name` text NOT NULL,
	`at` integer NOT NULL,
	`crc` integer NOT NULL,
	`size` integer NOT NULL,
	`packed` blob NOT NULL,
	PRIMARY KEY(`copy_id`, `name`),
	FOREIGN KEY (`copy_id`) REFERENCES `data_copies`(`id`) ON UPDATE no action ON DELETE cascade
);
