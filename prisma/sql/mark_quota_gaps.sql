-- A deleted run does not count. Windows longer than a day are always counted, so that the removal of
-- old jobs has nothing to mark.
CREATE OR REPLACE FUNCTION "mark_quota_gaps"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "mark_quota_gap"("project_id", max("created_at"))
  FROM "deleted" WHERE "kind" <> 'message' AND "created_at" > clock_timestamp() - interval '25 hours'
  GROUP BY "project_id" ORDER BY "project_id";
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER "mark_quota_gaps" AFTER DELETE ON "runs" REFERENCING OLD TABLE AS "deleted"
  FOR EACH STATEMENT EXECUTE FUNCTION "mark_quota_gaps"();
