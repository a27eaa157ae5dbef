CREATE TABLE "refused_fixes" (
	"device_id" bigint NOT NULL,
	"reason" text COLLATE "C" NOT NULL,
	"count" bigint NOT NULL,
	"first_at" bigint NOT NULL,
	"last_at" bigint NOT NULL,
	"last_time" bigint NOT NULL,
	CONSTRAINT "refused_fixes_device_id_reason_pk" PRIMARY KEY("device_id","reason")
);
--> statement-breakpoint
CREATE TABLE "clock_marks" (
	"key" text COLLATE "C" PRIMARY KEY NOT NULL,
	"seen_at" bigint NOT NULL,
	"ignored_until" bigint,
	"removal_lag" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "refused_fixes" ADD CONSTRAINT "refused_fixes_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;