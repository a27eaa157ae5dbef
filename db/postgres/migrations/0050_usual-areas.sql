CREATE TABLE "usual_areas" (
	"device_id" bigint PRIMARY KEY NOT NULL,
	"is_on" boolean NOT NULL,
	"cells" text COLLATE "C",
	"learnt" json,
	"learnt_at" bigint,
	"due_at" bigint,
	"version" bigint DEFAULT 0 NOT NULL,
	"dismissed" json
);
--> statement-breakpoint
ALTER TABLE "usual_areas" ADD CONSTRAINT "usual_areas_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "usual_areas_by_due" ON "usual_areas" USING btree ("due_at");