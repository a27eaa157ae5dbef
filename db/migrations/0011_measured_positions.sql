ALTER TABLE `positions` ADD `speed` integer;--> statement-breakpoint
ALTER TABLE `positions` ADD `course` integer;--> statement-breakpoint
ALTER TABLE `positions` ADD `altitude` integer;--> statement-breakpoint
ALTER TABLE `positions` ADD `mark` integer;