CREATE TABLE "channel_devices" (
	"channel_id" bigint NOT NULL,
	"device_id" bigint NOT NULL,
	CONSTRAINT "channel_devices_channel_id_device_id_pk" PRIMARY KEY("channel_id","device_id")
);
--> statement-breakpoint
ALTER TABLE "channels" ADD COLUMN "is_for_all_devices" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "channels" ADD COLUMN "kinds" json;--> statement-breakpoint
ALTER TABLE "channel_devices" ADD CONSTRAINT "channel_devices_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_devices" ADD CONSTRAINT "channel_devices_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "channel_devices_by_device" ON "channel_devices" USING btree ("device_id");--> statement-breakpoint
CREATE INDEX "channel_deliveries_by_time" ON "channel_deliveries" USING btree ("channel_id","created_at");