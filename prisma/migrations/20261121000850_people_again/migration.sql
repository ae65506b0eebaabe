-- Who made a job, by name: keys and people go, jobs stay. Noted here, so that no way to make a job can forget it.
ALTER TABLE "jobs" ADD COLUMN "created_by_name" TEXT;

CREATE FUNCTION "note_job_creator"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."created_by_name" := coalesce(
    (SELECT "name" FROM "api_keys" WHERE "id" = NEW."created_by"),
    (SELECT "name" FROM "users" WHERE "id" = NEW."created_by"),
    NEW."created_by_name");
  RETURN NEW;
END $$;

CREATE TRIGGER "note_job_creator" BEFORE INSERT ON "jobs" FOR EACH ROW WHEN (NEW."created_by" IS NOT NULL)
  EXECUTE FUNCTION "note_job_creator"();

UPDATE "jobs" SET "created_by_name" = coalesce(
  (SELECT "name" FROM "api_keys" WHERE "id" = "jobs"."created_by"),
  (SELECT "name" FROM "users" WHERE "id" = "jobs"."created_by"))
WHERE "created_by" IS NOT NULL;

-- Name of the person who made a key, once their account is deleted; without it the key would seem to come from the command line.
ALTER TABLE "api_keys" ADD COLUMN "created_by_name" TEXT;
CREATE INDEX "api_keys_created_by_id_idx" ON "api_keys"("created_by_id");
CREATE INDEX "invitations_created_by_id_idx" ON "invitations"("created_by_id");

-- An account elsewhere is linked once: two that were begun at the same time do not both count.
CREATE UNIQUE INDEX "accounts_user_id_provider_id_key" ON "accounts"("user_id", "provider_id");

-- A registration of an App belongs to a person: who has to sign in again on the way back goes on with it. What was begun is begun anew.
DELETE FROM "github_app_states";
ALTER TABLE "github_app_states" DROP COLUMN "session_id";
ALTER TABLE "github_app_states" ADD COLUMN "user_id" TEXT NOT NULL REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
CREATE INDEX "github_app_states_user_id_idx" ON "github_app_states"("user_id");
