-- Checks the projects of new jobs and runs once for each statement instead of once for each row,
-- because creations of jobs insert many rows with one statement.
CREATE FUNCTION "guard_deleted_projects"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  deleted TEXT;
BEGIN
  -- Locks all of them. The order prevents deadlocks.
  WITH "locked" AS (
    SELECT "id", "deleted_at" FROM "projects"
    WHERE "id" IN (SELECT "project_id" FROM "inserted") ORDER BY "id" FOR KEY SHARE
  )
  SELECT "id" INTO deleted FROM "locked" WHERE "deleted_at" IS NOT NULL ORDER BY "id" LIMIT 1;
  IF deleted IS NOT NULL THEN
    RAISE EXCEPTION 'project % is deleted', deleted
      USING ERRCODE = 'foreign_key_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = TG_TABLE_NAME || '_project_id_fkey';
  END IF;
  RETURN NULL;
END $$;

DROP TRIGGER "guard_deleted_project" ON "jobs";
DROP TRIGGER "guard_deleted_project" ON "runs";
CREATE TRIGGER "guard_deleted_project" AFTER INSERT ON "jobs" REFERENCING NEW TABLE AS "inserted"
  FOR EACH STATEMENT EXECUTE FUNCTION "guard_deleted_projects"();
CREATE TRIGGER "guard_deleted_project" AFTER INSERT ON "runs" REFERENCING NEW TABLE AS "inserted"
  FOR EACH STATEMENT EXECUTE FUNCTION "guard_deleted_projects"();
