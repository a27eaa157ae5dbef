CREATE TABLE `serial_attempts` (
	`identifier` text NOT NULL,
	`account_id` integer NOT NULL,
	`remaining` integer NOT NULL,
	`last_wrong_at` integer,
	PRIMARY KEY(`identifier`, `account_id`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `serial_attempts_by_account` ON `serial_attempts` (`account_id`);