ALTER TABLE "emails" ADD COLUMN "given_up_at" bigint;--> statement-breakpoint
ALTER TABLE "emails" ADD COLUMN "failure" json;--> statement-breakpoint
UPDATE "emails" SET "given_up_at" = coalesce("next_attempt_at", "created_at") WHERE "sent_at" IS NULL AND "attempts" >= 12;
