-- Numbers the runs of each project and kind in the order of their creation, so that a quota check
-- reads the oldest and the newest run of the window instead of counting all of them.
ALTER TABLE "runs" ADD COLUMN "quota_seq" int;
-- Creation time of a run up to which the numbers have gaps. A window that reaches back to it is counted.
ALTER TABLE "projects" ADD COLUMN "quota_gap_at" timestamptz(3);

-- Marks that the numbers of a project's runs have a gap.
CREATE FUNCTION "mark_quota_gap"("the_project" text, "at" timestamptz) RETURNS void LANGUAGE sql AS $$
  UPDATE "projects" SET "quota_gap_at" = "at"
  WHERE "id" = "the_project" AND "deleted_at" IS NULL AND ("quota_gap_at" IS NULL OR "quota_gap_at" < "at")
$$;

-- Returns the number of the newest run, or 0. The caller holds the quota lock and inserts runs that
-- are created at `next_at` or later. Runs that the previous version has inserted have no number, and
-- a clock that has been set back breaks the order; both are marked as a gap.
CREATE FUNCTION "last_quota_seq"("the_project" text, "the_kind" run_kind, "next_at" timestamptz)
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

-- A deleted run does not count. Windows longer than a day are always counted, so that the removal of
-- old jobs has nothing to mark.
CREATE FUNCTION "mark_quota_gaps"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "mark_quota_gap"("project_id", max("created_at"))
  FROM "deleted" WHERE "kind" <> 'message' AND "created_at" > clock_timestamp() - interval '25 hours'
  GROUP BY "project_id" ORDER BY "project_id";
  RETURN NULL;
END $$;
CREATE TRIGGER "mark_quota_gaps" AFTER DELETE ON "runs" REFERENCING OLD TABLE AS "deleted"
  FOR EACH STATEMENT EXECUTE FUNCTION "mark_quota_gaps"();

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

-- As before, with the numbers of the runs.
CREATE OR REPLACE FUNCTION "insert_jobs"("requests" jsonb, "places" int[], "times" timestamptz[], "branches" text[])
RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  WITH "new" AS MATERIALIZED (
    SELECT r.*, "place", "at",
      CASE WHEN "branch" IS NULL THEN "options" ELSE "options" || jsonb_build_object('branch', "branch") END AS "all_options"
    FROM unnest("places", "times", "branches") AS x ("place", "at", "branch"),
      jsonb_to_record("requests" -> ("place" - 1)) AS r (
        "projectId" text, "kind" run_kind, "jobId" text, "runId" text, "act" jsonb, "after" jsonb, "createdBy" text,
        "repositoryUrl" text, "prompt" text, "model" text, "baseBranch" text, "options" jsonb, "metadata" jsonb,
        "retryOf" text, "traceparent" text)
  ), "last" AS MATERIALIZED (
    SELECT "projectId", "kind", "last_quota_seq"("projectId", "kind", min("at")) AS "seq"
    FROM "new" GROUP BY "projectId", "kind"
  ), "new_jobs" AS (
    INSERT INTO "jobs" ("id", "project_id", "repository_url", "base_branch", "model", "options", "metadata", "retry_of",
      "created_by", "last_event_seq", "traceparent", "created_at", "updated_at")
    SELECT "jobId", "projectId", "repositoryUrl", "baseBranch", "model", "all_options", "metadata", "retryOf",
      "createdBy", 1, "traceparent", "at", "at" FROM "new"
  ), "new_runs" AS (
    INSERT INTO "runs" ("id", "job_id", "project_id", "seq", "kind", "prompt", "traceparent", "created_at", "next_run_at",
      "quota_seq")
    SELECT "runId", "jobId", "projectId", 1, "kind", "prompt", "traceparent", "at", "at",
      "last"."seq" + row_number() OVER (PARTITION BY "projectId", "kind" ORDER BY "at", "place")
    FROM "new" JOIN "last" USING ("projectId", "kind")
  ), "new_events" AS (
    INSERT INTO "job_events" ("job_id", "seq", "type", "data", "created_at")
    SELECT "jobId", 1, 'job.created', coalesce("after", '{}'), "at" FROM "new"
  )
  INSERT INTO "audit_events" ("id", "created_at", "action", "actor_type", "actor_id", "actor_name", "ip_address",
    "request_id", "project_id", "target_type", "target_id", "after")
  SELECT "act"->>'id', "at", "act"->>'action', "act"#>>'{actor,type}', "act"#>>'{actor,id}', "act"#>>'{actor,name}',
    "act"->>'ipAddress', "act"->>'requestId', "projectId", 'job', "jobId", "after" FROM "new";
END $$;
