CREATE INDEX `users_by_creation` ON `users` (`created_at`);--> statement-breakpoint
CREATE INDEX `users_by_confirmation` ON `users` (`email_confirmed`,`created_at`);--> statement-breakpoint
CREATE INDEX `subscriptions_by_start` ON `subscriptions` (`started_at`);--> statement-breakpoint
CREATE INDEX `devices_by_end` ON `devices` (`sub_state`,`sub_end_date`);