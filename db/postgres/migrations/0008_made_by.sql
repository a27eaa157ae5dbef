ALTER TABLE "device_keys" ADD COLUMN "created_by" bigint;--> statement-breakpoint
ALTER TABLE "network_keys" ADD COLUMN "created_by" bigint;--> statement-breakpoint
ALTER TABLE "public_links" ADD COLUMN "created_by" bigint;