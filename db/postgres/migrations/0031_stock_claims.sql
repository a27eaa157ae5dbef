ALTER TABLE "stock_items" ADD COLUMN "is_claimed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE "stock_items" SET "is_claimed" = true WHERE "identifier" IN (SELECT "identifier" FROM "devices");--> statement-breakpoint
CREATE INDEX "stock_items_by_claim" ON "stock_items" USING btree ("is_claimed","identifier") WHERE blocked_at is null;--> statement-breakpoint
CREATE FUNCTION "keep_claims"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    UPDATE "stock_items" SET "is_claimed" = false WHERE "identifier" = OLD."identifier";
  END IF;
  IF TG_OP <> 'DELETE' THEN
    UPDATE "stock_items" SET "is_claimed" = true WHERE "identifier" = NEW."identifier";
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "claim_stock_item" AFTER INSERT OR DELETE ON "devices" FOR EACH ROW EXECUTE FUNCTION "keep_claims"();--> statement-breakpoint
CREATE TRIGGER "change_stock_item" AFTER UPDATE OF "identifier" ON "devices" FOR EACH ROW
  WHEN (OLD."identifier" IS DISTINCT FROM NEW."identifier") EXECUTE FUNCTION "keep_claims"();--> statement-breakpoint
CREATE FUNCTION "read_claim"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."is_claimed" := EXISTS (SELECT FROM "devices" WHERE "identifier" = NEW."identifier");
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER "add_stock_item" BEFORE INSERT ON "stock_items" FOR EACH ROW EXECUTE FUNCTION "read_claim"();