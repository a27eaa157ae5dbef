CREATE TABLE `hand_offs` (
	`hash` text PRIMARY KEY NOT NULL,
	`session` text NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	FOREIGN KEY (`session`) REFERENCES `tokens`(`hash`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `hand_offs_by_session` ON `hand_offs` (`session`);--> statement-breakpoint
ALTER TABLE `care_claims` ADD `delivery` text;