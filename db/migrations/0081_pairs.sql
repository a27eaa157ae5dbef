ALTER TABLE `alert_firings` ADD `other_id` integer REFERENCES devices(id) ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE `alert_firings` ADD `distance` integer;--> statement-breakpoint
CREATE INDEX `alert_firings_by_other` ON `alert_firings` (`other_id`);--> statement-breakpoint
ALTER TABLE `held_alerts` ADD `other_id` integer REFERENCES devices(id) ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE `held_alerts` ADD `distance` integer;