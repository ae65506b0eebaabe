-- Counts the runs of a kind that were created within the window, up to the limit, by the database
-- clock. At the limit, the oldest of the newest runs determines when the next one is allowed.
-- `seconds_left` is the time until the oldest counted run leaves the window. Without the quota lock,
-- the result can be too low, but not too high. The clock is read once, because a volatile function in
-- the condition would prevent index use.
CREATE OR REPLACE FUNCTION "count_runs"("the_project" text, "the_kind" run_kind, "at_most" int, "seconds" double precision,
  OUT "used" int, OUT "seconds_left" int) LANGUAGE plpgsql AS $$
DECLARE
  at CONSTANT timestamptz := clock_timestamp();
  since CONSTANT timestamptz := at - make_interval(secs => "seconds");
  oldest timestamptz;
BEGIN
  IF "seconds" <= 86400 THEN
    -- No row if the window is empty or reaches back to a gap. Null if one of the runs has no number.
    -- Not min() and max(), which read all rows of the window if the table's statistics are old.
    SELECT f."at", (
        SELECT CASE WHEN count("quota_seq") = count(*) THEN max("quota_seq") END FROM "runs"
        WHERE "project_id" = "the_project" AND "kind" = "the_kind" AND "created_at" = l."at"
      ) - (
        SELECT CASE WHEN count("quota_seq") = count(*) THEN min("quota_seq") END FROM "runs"
        WHERE "project_id" = "the_project" AND "kind" = "the_kind" AND "created_at" = f."at"
      ) + 1 INTO oldest, "used"
    FROM (
      SELECT "created_at" AS "at" FROM "runs"
      WHERE "project_id" = "the_project" AND "kind" = "the_kind" AND "created_at" > since
      ORDER BY "created_at" LIMIT 1
    ) AS f, (
      SELECT "created_at" AS "at" FROM "runs"
      WHERE "project_id" = "the_project" AND "kind" = "the_kind" AND "created_at" > since
      ORDER BY "created_at" DESC LIMIT 1
    ) AS l
    WHERE NOT EXISTS (SELECT FROM "projects" WHERE "id" = "the_project" AND "quota_gap_at" > since);
  END IF;
  IF "used" IS NULL OR "used" >= "at_most" THEN
    SELECT count(*), min("created_at") INTO "used", oldest FROM (
      SELECT "created_at" FROM "runs"
      WHERE "project_id" = "the_project" AND "kind" = "the_kind" AND "created_at" > since
      ORDER BY "created_at" DESC LIMIT "at_most"
    ) AS newest;
  END IF;
  "seconds_left" := greatest(1, ceil("seconds" - coalesce(extract(epoch FROM at - oldest), 0)));
END $$;
