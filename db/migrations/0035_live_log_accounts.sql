CREATE TABLE `live_marks` (
	`account_id` integer PRIMARY KEY NOT NULL,
	`pruned_to` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `live_events` ADD `account_id` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE `live_events` SET `account_id` = coalesce((SELECT `account_id` FROM `devices` WHERE `id` = `device_id`), 0);--> statement-breakpoint
INSERT INTO `live_marks` (`account_id`, `pruned_to`) SELECT 0, min(`id`) - 1 FROM `live_events` HAVING count(*) > 0;
