ALTER TABLE `alert_devices` ADD `state` text;--> statement-breakpoint
ALTER TABLE `alert_devices` ADD `due_at` integer;--> statement-breakpoint
CREATE INDEX `alert_devices_by_due` ON `alert_devices` (`due_at`);--> statement-breakpoint
ALTER TABLE `alert_firings` ADD `rule` text;--> statement-breakpoint
ALTER TABLE `alerts` ADD `rule` text;--> statement-breakpoint
ALTER TABLE `alerts` ADD `schedule` text;--> statement-breakpoint
ALTER TABLE `alerts` ADD `pause` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `held_alerts` ADD `rule` text;