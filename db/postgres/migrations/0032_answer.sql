ALTER TABLE "public_links" ADD COLUMN "shared_by" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "public_links" ADD COLUMN "phone" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "public_links" ADD COLUMN "note" text COLLATE "C";