CREATE INDEX `withdrawals_by_outcome` ON `withdrawals` (`outcome`,`received_at`);--> statement-breakpoint
CREATE INDEX `withdrawals_by_email` ON `withdrawals` (`email`);--> statement-breakpoint
CREATE INDEX `withdrawals_by_reference` ON `withdrawals` (`reference`);