ALTER TABLE `emails` ADD `given_up_at` integer;--> statement-breakpoint
ALTER TABLE `emails` ADD `failure` text;--> statement-breakpoint
UPDATE `emails` SET `given_up_at` = coalesce(`next_attempt_at`, `created_at`) WHERE `sent_at` IS NULL AND `attempts` >= 12;
