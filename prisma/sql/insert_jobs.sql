-- Inserts the accepted requests of `create_jobs`.
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
      "created_by", "created_by_name", "last_event_seq", "traceparent", "created_at", "updated_at")
    SELECT "jobId", "projectId", "repositoryUrl", "baseBranch", "model", "all_options", "metadata", "retryOf",
      "createdBy", coalesce(
        (SELECT "name" FROM "api_keys" WHERE "id" = "createdBy"), (SELECT "name" FROM "users" WHERE "id" = "createdBy")),
      1, "traceparent", "at", "at" FROM "new"
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
