CREATE TABLE `mail_stops` (
	`account_id` integer NOT NULL,
	`email` text NOT NULL,
	`stopped_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `email`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
