ALTER TABLE `seeds` ADD `scenario` text DEFAULT 'family' NOT NULL;--> statement-breakpoint
ALTER TABLE `seeds` ADD `clock` text;--> statement-breakpoint
ALTER TABLE `seeds` ADD `ids` integer;