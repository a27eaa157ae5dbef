ALTER TABLE `emails` ADD `user_id` integer REFERENCES users(id) ON DELETE cascade;--> statement-breakpoint
CREATE INDEX `emails_by_user` ON `emails` (`user_id`);