ALTER TABLE "downlinks" ADD COLUMN "sending_until" bigint;--> statement-breakpoint
CREATE INDEX "downlinks_by_sending" ON "downlinks" USING btree ("sending_until");