CREATE TABLE "firing_marks" (
	"firing_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"is_seen" boolean NOT NULL,
	CONSTRAINT "firing_marks_firing_id_user_id_pk" PRIMARY KEY("firing_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "seen_firings" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "alert_firings" ADD COLUMN "false_alarm_at" bigint;--> statement-breakpoint
ALTER TABLE "firing_marks" ADD CONSTRAINT "firing_marks_firing_id_alert_firings_id_fk" FOREIGN KEY ("firing_id") REFERENCES "public"."alert_firings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "firing_marks" ADD CONSTRAINT "firing_marks_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "firing_marks_by_user" ON "firing_marks" USING btree ("user_id","is_seen");--> statement-breakpoint
CREATE INDEX "alert_firings_by_number" ON "alert_firings" USING btree ("account_id","id");