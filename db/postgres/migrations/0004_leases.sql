CREATE TABLE "leases" (
	"key" text PRIMARY KEY NOT NULL,
	"token" text NOT NULL,
	"until" timestamp with time zone NOT NULL
);
