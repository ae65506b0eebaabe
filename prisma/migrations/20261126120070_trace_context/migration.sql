-- Trace context (header traceparent) of the request that created the job, and of what started the
-- run. Null without tracing.
ALTER TABLE "jobs" ADD COLUMN "traceparent" TEXT;
ALTER TABLE "runs" ADD COLUMN "traceparent" TEXT;

-- Also stores the trace context, which services of the previous version do not send.
CREATE OR REPLACE FUNCTION "insert_jobs"("requests" jsonb, "places" int[], "times" timestamptz[], "branches" text[])
RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  WITH "new" AS MATERIALIZED (
    SELECT r.*, "at", CASE WHEN "branch" IS NULL THEN "options" ELSE "options" || jsonb_build_object('branch', "branch") END
      AS "all_options"
    FROM unnest("places", "times", "branches") AS x ("place", "at", "branch"),
      jsonb_to_record("requests" -> ("place" - 1)) AS r (
        "projectId" text, "kind" run_kind, "jobId" text, "runId" text, "act" jsonb, "after" jsonb, "createdBy" text,
        "repositoryUrl" text, "prompt" text, "model" text, "baseBranch" text, "options" jsonb, "metadata" jsonb,
        "retryOf" text, "traceparent" text)
  ), "new_jobs" AS (
    INSERT INTO "jobs" ("id", "project_id", "repository_url", "base_branch", "model", "options", "metadata", "retry_of",
      "created_by", "last_event_seq", "traceparent", "created_at", "updated_at")
    SELECT "jobId", "projectId", "repositoryUrl", "baseBranch", "model", "all_options", "metadata", "retryOf",
      "createdBy", 1, "traceparent", "at", "at" FROM "new"
  ), "new_runs" AS (
    INSERT INTO "runs" ("id", "job_id", "project_id", "seq", "kind", "prompt", "traceparent", "created_at", "next_run_at")
    SELECT "runId", "jobId", "projectId", 1, "kind", "prompt", "traceparent", "at", "at" FROM "new"
  ), "new_events" AS (
    INSERT INTO "job_events" ("job_id", "seq", "type", "data", "created_at")
    SELECT "jobId", 1, 'job.created', coalesce("after", '{}'), "at" FROM "new"
  )
  INSERT INTO "audit_events" ("id", "created_at", "action", "actor_type", "actor_id", "actor_name", "ip_address",
    "request_id", "project_id", "target_type", "target_id", "after")
  SELECT "act"->>'id', "at", "act"->>'action', "act"#>>'{actor,type}', "act"#>>'{actor,id}', "act"#>>'{actor,name}',
    "act"->>'ipAddress', "act"->>'requestId', "projectId", 'job', "jobId", "after" FROM "new";
END $$;
