-- A job shows its newest deployment: an older one that ends later does not take its place.
CREATE OR REPLACE FUNCTION "show_deployment"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "jobs" SET
    "deployment" = jsonb_build_object('statusId', NEW."id", 'status', NEW."status", 'url', NEW."url"),
    "updated_at" = clock_timestamp()
  WHERE "id" = NEW."job_id"
    AND NOT EXISTS (SELECT 1 FROM "deployments" AS later WHERE later."job_id" = NEW."job_id" AND later."seq" > NEW."seq");
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER "show_deployment" AFTER UPDATE ON "deployments" FOR EACH ROW
  WHEN (NEW."job_id" IS NOT NULL AND (NEW."status", NEW."url") IS DISTINCT FROM (OLD."status", OLD."url"))
  EXECUTE FUNCTION "show_deployment"();

CREATE OR REPLACE TRIGGER "show_new_deployment" AFTER INSERT ON "deployments" FOR EACH ROW
  WHEN (NEW."job_id" IS NOT NULL) EXECUTE FUNCTION "show_deployment"();
