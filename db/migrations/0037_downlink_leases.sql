ALTER TABLE `downlinks` ADD `sending_until` integer;--> statement-breakpoint
CREATE INDEX `downlinks_by_sending` ON `downlinks` (`sending_until`);