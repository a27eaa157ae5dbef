CREATE INDEX `devices_by_name` ON `devices` (lower("name"),`id`);--> statement-breakpoint
CREATE INDEX `devices_by_creation` ON `devices` (`created_at`,`id`);