ALTER TABLE `stock_items` ADD `is_claimed` integer DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE `stock_items` SET `is_claimed` = true WHERE `identifier` IN (SELECT `identifier` FROM `devices`);--> statement-breakpoint
CREATE INDEX `stock_items_by_claim` ON `stock_items` (`is_claimed`,`identifier`) WHERE blocked_at is null;--> statement-breakpoint
-- A later migration that makes one of these tables anew has to make its triggers again.
CREATE TRIGGER `claim_stock_item` AFTER INSERT ON `devices` WHEN new.`identifier` IS NOT NULL BEGIN
  UPDATE `stock_items` SET `is_claimed` = true WHERE `identifier` = new.`identifier`;
END;--> statement-breakpoint
CREATE TRIGGER `free_stock_item` AFTER DELETE ON `devices` WHEN old.`identifier` IS NOT NULL BEGIN
  UPDATE `stock_items` SET `is_claimed` = false WHERE `identifier` = old.`identifier`;
END;--> statement-breakpoint
CREATE TRIGGER `change_stock_item` AFTER UPDATE OF `identifier` ON `devices` WHEN old.`identifier` IS NOT new.`identifier` BEGIN
  UPDATE `stock_items` SET `is_claimed` = false WHERE `identifier` = old.`identifier`;
  UPDATE `stock_items` SET `is_claimed` = true WHERE `identifier` = new.`identifier`;
END;--> statement-breakpoint
CREATE TRIGGER `add_stock_item` AFTER INSERT ON `stock_items` BEGIN
  UPDATE `stock_items` SET `is_claimed` = EXISTS (SELECT 1 FROM `devices` WHERE `identifier` = new.`identifier`)
    WHERE `identifier` = new.`identifier`;
END;