CREATE INDEX `users_by_account` ON `users` (`account_id`);--> statement-breakpoint
CREATE INDEX `users_by_first_name` ON `users` (lower("first_name"));--> statement-breakpoint
CREATE INDEX `users_by_last_name` ON `users` (lower("last_name"));--> statement-breakpoint
CREATE INDEX `unlink_requests_by_user` ON `unlink_requests` (`user_id`);