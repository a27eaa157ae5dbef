-- By hand: fixes of months that have ended, packed (db/postgres/packed). Blocks of a tracker do not overlap.
CREATE TABLE "position_blocks" (
	"device_id" bigint NOT NULL,
	"first_time" bigint NOT NULL,
	"last_time" bigint NOT NULL,
	"count" integer NOT NULL,
	"believed" integer NOT NULL,
	"bytes" bytea NOT NULL,
	CONSTRAINT "position_blocks_device_id_first_time_pk" PRIMARY KEY("device_id","first_time") INCLUDE ("last_time","count","believed")
);
