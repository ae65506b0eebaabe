-- Returns the number of the newest run, or 0. The caller holds the quota lock and inserts runs that
-- are created at `next_at` or later. Runs that the previous version has inserted have no number, and
-- a clock that has been set back breaks the order; both are marked as a gap.
CREATE OR REPLACE FUNCTION "last_quota_seq"("the_project" text, "the_kind" run_kind, "next_at" timestamptz)
RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  newest timestamptz;
  last int;
BEGIN
  SELECT "created_at" INTO newest FROM "runs" WHERE "project_id" = "the_project" AND "kind" = "the_kind"
  ORDER BY "created_at" DESC LIMIT 1;
  IF newest IS NULL THEN
    RETURN 0;
  END IF;
  SELECT CASE WHEN count("quota_seq") = count(*) THEN max("quota_seq") END INTO last
  FROM "runs" WHERE "project_id" = "the_project" AND "kind" = "the_kind" AND "created_at" = newest;
  IF last IS NULL OR newest > "next_at" THEN
    PERFORM "mark_quota_gap"("the_project", newest);
  END IF;
  RETURN coalesce(last, 0);
END $$;
