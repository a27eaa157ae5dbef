ALTER TABLE `unlink_requests` ADD `decided_at` integer;--> statement-breakpoint
ALTER TABLE `unlink_requests` ADD `decided_by` text;--> statement-breakpoint
ALTER TABLE `unlink_requests` ADD `refusal` text;--> statement-breakpoint
CREATE INDEX `unlink_requests_by_status` ON `unlink_requests` (`status`,`id`);