CREATE OR REPLACE FUNCTION "note_job_creator"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."created_by_name" := coalesce(
    (SELECT "name" FROM "api_keys" WHERE "id" = NEW."created_by"),
    (SELECT "name" FROM "users" WHERE "id" = NEW."created_by"),
    NEW."created_by_name");
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER "note_job_creator" BEFORE INSERT ON "jobs" FOR EACH ROW
  WHEN (NEW."created_by" IS NOT NULL AND NEW."created_by_name" IS NULL) EXECUTE FUNCTION "note_job_creator"();
