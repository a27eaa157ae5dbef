ALTER TABLE "unlink_requests" ADD COLUMN "decided_at" bigint;--> statement-breakpoint
ALTER TABLE "unlink_requests" ADD COLUMN "decided_by" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "unlink_requests" ADD COLUMN "refusal" text COLLATE "C";--> statement-breakpoint
CREATE INDEX "unlink_requests_by_status" ON "unlink_requests" USING btree ("status","id");