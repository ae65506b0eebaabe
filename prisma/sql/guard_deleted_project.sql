-- A deleted project gets no new rows. The lock makes an insert wait for a deletion in progress,
-- like the foreign key. The error is that of a foreign key, because the project counts as absent.
CREATE OR REPLACE FUNCTION "guard_deleted_project"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  deleted TIMESTAMPTZ;
BEGIN
  SELECT "deleted_at" INTO deleted FROM "projects" WHERE "id" = NEW."project_id" FOR KEY SHARE;
  IF deleted IS NOT NULL THEN
    RAISE EXCEPTION 'project % is deleted', NEW."project_id"
      USING ERRCODE = 'foreign_key_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = TG_TABLE_NAME || '_project_id_fkey';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER "guard_deleted_project" BEFORE INSERT ON "api_keys"
  FOR EACH ROW EXECUTE FUNCTION "guard_deleted_project"();
CREATE OR REPLACE TRIGGER "guard_deleted_project" BEFORE INSERT ON "deployments"
  FOR EACH ROW EXECUTE FUNCTION "guard_deleted_project"();
CREATE OR REPLACE TRIGGER "guard_deleted_project" BEFORE INSERT ON "git_credentials"
  FOR EACH ROW EXECUTE FUNCTION "guard_deleted_project"();
CREATE OR REPLACE TRIGGER "guard_deleted_project" BEFORE INSERT ON "idempotency_keys"
  FOR EACH ROW EXECUTE FUNCTION "guard_deleted_project"();
CREATE OR REPLACE TRIGGER "guard_deleted_project" BEFORE INSERT ON "invitations"
  FOR EACH ROW EXECUTE FUNCTION "guard_deleted_project"();
CREATE OR REPLACE TRIGGER "guard_deleted_project" BEFORE INSERT ON "job_messages"
  FOR EACH ROW EXECUTE FUNCTION "guard_deleted_project"();
CREATE OR REPLACE TRIGGER "guard_deleted_project" BEFORE INSERT ON "jobs"
  FOR EACH ROW EXECUTE FUNCTION "guard_deleted_project"();
CREATE OR REPLACE TRIGGER "guard_deleted_project" BEFORE INSERT ON "memberships"
  FOR EACH ROW EXECUTE FUNCTION "guard_deleted_project"();
CREATE OR REPLACE TRIGGER "guard_deleted_project" BEFORE INSERT ON "repository_tests"
  FOR EACH ROW EXECUTE FUNCTION "guard_deleted_project"();
CREATE OR REPLACE TRIGGER "guard_deleted_project" BEFORE INSERT ON "runs"
  FOR EACH ROW EXECUTE FUNCTION "guard_deleted_project"();
CREATE OR REPLACE TRIGGER "guard_deleted_project" BEFORE INSERT ON "webhook_endpoints"
  FOR EACH ROW EXECUTE FUNCTION "guard_deleted_project"();
CREATE OR REPLACE TRIGGER "guard_deleted_project" BEFORE INSERT ON "webhook_events"
  FOR EACH ROW EXECUTE FUNCTION "guard_deleted_project"();
