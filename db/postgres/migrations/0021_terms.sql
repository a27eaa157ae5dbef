ALTER TABLE "users" ADD COLUMN "terms_version" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "terms_accepted_at" bigint;