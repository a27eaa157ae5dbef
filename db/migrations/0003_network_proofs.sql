ALTER TABLE `devices` ADD `network_activated_at` integer;--> statement-breakpoint
ALTER TABLE `serial_checks` ADD `proof_user_id` integer;