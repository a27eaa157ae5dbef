CREATE TABLE "serial_attempts" (
	"identifier" text COLLATE "C" NOT NULL,
	"account_id" bigint NOT NULL,
	"remaining" bigint NOT NULL,
	"last_wrong_at" bigint,
	CONSTRAINT "serial_attempts_identifier_account_id_pk" PRIMARY KEY("identifier","account_id")
);
--> statement-breakpoint
ALTER TABLE "serial_attempts" ADD CONSTRAINT "serial_attempts_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "serial_attempts_by_account" ON "serial_attempts" USING btree ("account_id");