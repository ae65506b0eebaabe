-- Functions that do in one round trip what a service would otherwise do in several. Services of the
-- previous version call them during an update, so a function whose parameters, result or meaning
-- changes gets a new name, and the old one is dropped one version later. VOLATILE functions take a
-- new snapshot for each of their statements, so a statement after a lock reads what the previous
-- holder of the lock has committed.

-- Returns an id in the format of newId(). The random part is hexadecimal, which its alphabet includes.
CREATE FUNCTION "new_id"("prefix" text, "at" timestamptz) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  letters CONSTANT text := '0123456789abcdefghjkmnpqrstvwxyz';
  rest bigint := floor(extract(epoch FROM "at") * 1000);
  stamp text := '';
BEGIN
  FOR i IN 1..10 LOOP
    stamp := substr(letters, (rest % 32)::int + 1, 1) || stamp;
    rest := rest / 32;
  END LOOP;
  RETURN "prefix" || '_' || stamp || right(replace(gen_random_uuid()::text, '-', ''), 16);
END $$;

-- Returns a time as in JSON, such as 2026-11-26T10:30:00.000Z.
CREATE FUNCTION "to_json_time"("at" timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT to_char("at" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

-- Returns the ids of a project's endpoints that are subscribed to an event. The lock prevents a
-- removal, which would make the insert of the deliveries fail. An endpoint receives the audit log
-- only if it lists the event.
CREATE FUNCTION "list_subscribed"("the_project" text, "the_type" text) RETURNS text[] LANGUAGE plpgsql AS $$
BEGIN
  RETURN ARRAY(
    SELECT "id" FROM "webhook_endpoints"
    WHERE "project_id" = "the_project" AND "disabled_at" IS NULL
      AND ("the_type" = ANY ("events") OR (cardinality("events") = 0 AND "the_type" <> 'audit.event'))
    ORDER BY "id" FOR KEY SHARE);
END $$;

-- Inserts an event with its payload as it will be sent, and a delivery for each endpoint. Returns the
-- ids of the deliveries, in the order of the endpoints.
CREATE FUNCTION "insert_event"("the_project" text, "the_type" text, "data" text, "at" timestamptz, "endpoints" text[])
RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  event_id text := "new_id"('evt', "at");
  deliveries text[];
BEGIN
  INSERT INTO "webhook_events" ("id", "project_id", "type", "payload", "created_at")
  VALUES (event_id, "the_project", "the_type",
    '{"type":' || to_json("the_type") || ',"timestamp":"' || "to_json_time"("at") || '","data":' || "data" || '}', "at");
  deliveries := ARRAY(SELECT "new_id"('whd', "at") FROM generate_subscripts("endpoints", 1));
  INSERT INTO "webhook_deliveries" ("id", "endpoint_id", "event_id", "created_at", "next_attempt_at")
  SELECT d, e, event_id, "at", "at" FROM unnest(deliveries, "endpoints") AS x (d, e);
  RETURN deliveries;
END $$;

-- Publishes an act to the endpoints that subscribe to the audit log.
CREATE FUNCTION "publish_act"("act" jsonb, "the_before" json, "the_after" json, "at" timestamptz, "endpoints" text[])
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "insert_event"("act"->>'projectId', 'audit.event', json_build_object('auditEvent', json_build_object(
    'id', "act"->'id', 'createdAt', "to_json_time"("at"), 'action', "act"->'action', 'actor', "act"->'actor',
    'ipAddress', "act"->'ipAddress', 'requestId', "act"->'requestId', 'projectId', "act"->'projectId',
    'target', "act"->'target', 'before', "the_before", 'after', "the_after"))::text, "at", "endpoints");
END $$;

-- Records an act and publishes it to the project's endpoints that subscribe to the audit log.
CREATE FUNCTION "record_act"("act" jsonb, "the_before" json, "the_after" json, "at" timestamptz, "endpoints" text[])
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "audit_events" ("id", "created_at", "action", "actor_type", "actor_id", "actor_name", "ip_address",
    "request_id", "project_id", "target_type", "target_id", "target_name", "before", "after")
  VALUES ("act"->>'id', "at", "act"->>'action', "act"#>>'{actor,type}', "act"#>>'{actor,id}', "act"#>>'{actor,name}',
    "act"->>'ipAddress', "act"->>'requestId', "act"->>'projectId', "act"#>>'{target,type}', "act"#>>'{target,id}',
    "act"#>>'{target,name}', "the_before"::jsonb, "the_after"::jsonb);
  IF cardinality("endpoints") > 0 THEN
    PERFORM "publish_act"("act", "the_before", "the_after", "at", "endpoints");
  END IF;
END $$;

-- Looks for the stored response to an earlier request with the same key. An unused key stays locked
-- until the transaction ends. `state` is in_flight while the first request is running, unused,
-- mismatch if the key was used for a different request, or stored.
CREATE FUNCTION "find_answer"("the_project" text, "the_key" text, "hash" bytea, "hours" int,
  OUT "state" text, OUT "answer" text) LANGUAGE plpgsql AS $$
DECLARE
  found_key "idempotency_keys"%ROWTYPE;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('idempotency:' || "the_project" || ':' || "the_key", 0)) THEN
    "state" := 'in_flight';
    RETURN;
  END IF;
  SELECT * INTO found_key FROM "idempotency_keys" WHERE "project_id" = "the_project" AND "key" = "the_key";
  IF NOT FOUND THEN
    "state" := 'unused';
  -- By the database clock, which also set the time of creation.
  ELSIF found_key."created_at" < clock_timestamp() - make_interval(hours => "hours") THEN
    DELETE FROM "idempotency_keys" WHERE "project_id" = "the_project" AND "key" = "the_key";
    "state" := 'unused';
  ELSIF found_key."request_hash" <> "hash" THEN
    "state" := 'mismatch';
  ELSE
    "state" := 'stored';
    "answer" := found_key."response";
  END IF;
END $$;

-- Serializes the quota checks of a project until the transaction ends. Returns whether the lock was
-- acquired. Without the lock, 105 of 300 parallel requests were accepted despite a limit of 100.
CREATE FUNCTION "lock_quota"("the_project" text, "may_wait" boolean) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  lock_key CONSTANT bigint := hashtextextended('quota:' || "the_project", 0);
BEGIN
  IF NOT "may_wait" THEN
    RETURN pg_try_advisory_xact_lock(lock_key);
  END IF;
  PERFORM pg_advisory_xact_lock(lock_key);
  RETURN true;
END $$;

-- Counts the runs of a kind that were created within the window, up to the limit, by the database
-- clock. The newest runs are sufficient, because at the limit the oldest of them determines when the
-- next one is allowed. The clock is read once, because a volatile function in the condition would
-- prevent index use. `seconds_left` is the time until the oldest counted run leaves the window.
CREATE FUNCTION "count_runs"("the_project" text, "the_kind" run_kind, "at_most" int, "seconds" double precision,
  OUT "used" int, OUT "seconds_left" int) LANGUAGE plpgsql AS $$
DECLARE
  at CONSTANT timestamptz := clock_timestamp();
  oldest timestamptz;
BEGIN
  SELECT count(*), min("created_at") INTO "used", oldest FROM (
    SELECT "created_at" FROM "runs"
    WHERE "project_id" = "the_project" AND "kind" = "the_kind" AND "created_at" > at - make_interval(secs => "seconds")
    ORDER BY "created_at" DESC LIMIT "at_most"
  ) AS newest;
  "seconds_left" := greatest(1, ceil("seconds" - coalesce(extract(epoch FROM at - oldest), 0)));
END $$;

-- Inserts jobs, each with its first run, its first event and its audit event, for the elements of
-- `requests` at `places`, which count from 1. `times` are the times of creation, and `branches` the
-- requested branches or nulls. All in one statement, because statements cost more than rows.
CREATE FUNCTION "insert_jobs"("requests" jsonb, "places" int[], "times" timestamptz[], "branches" text[])
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
        "retryOf" text)
  ), "new_jobs" AS (
    INSERT INTO "jobs" ("id", "project_id", "repository_url", "base_branch", "model", "options", "metadata", "retry_of",
      "created_by", "last_event_seq", "created_at", "updated_at")
    SELECT "jobId", "projectId", "repositoryUrl", "baseBranch", "model", "all_options", "metadata", "retryOf",
      "createdBy", 1, "at", "at" FROM "new"
  ), "new_runs" AS (
    INSERT INTO "runs" ("id", "job_id", "project_id", "seq", "kind", "prompt", "created_at", "next_run_at")
    SELECT "runId", "jobId", "projectId", 1, "kind", "prompt", "at", "at" FROM "new"
  ), "new_events" AS (
    INSERT INTO "job_events" ("job_id", "seq", "type", "data", "created_at")
    SELECT "jobId", 1, 'job.created', coalesce("after", '{}'), "at" FROM "new"
  )
  INSERT INTO "audit_events" ("id", "created_at", "action", "actor_type", "actor_id", "actor_name", "ip_address",
    "request_id", "project_id", "target_type", "target_id", "after")
  SELECT "act"->>'id', "at", "act"->>'action', "act"#>>'{actor,type}', "act"#>>'{actor,id}', "act"#>>'{actor,name}',
    "act"->>'ipAddress', "act"->>'requestId', "projectId", 'job', "jobId", "after" FROM "new";
END $$;

-- Creates jobs, each with its first run, its first event, its audit event and its webhook events, or
-- says why not. Each request is decided as if it were alone, after those before it. Requests of a
-- project must be neighbours. With `may_wait` false, a project whose quota lock or row is not free at
-- once has the outcome `busy`, so that no project waits for another one. With true, all requests must
-- be of one project.
--
-- Outcomes: created (`at`, `remaining`, `resetSeconds`), replayed (`answer`), in_flight, mismatch,
-- refused (the caller has a reason, which concerns only new requests), busy, not_found, used_up
-- (`resetSeconds`), duplicate (`jobId`), too_many_pull_requests (`open`, `reserved`, `urls`),
-- branch_used (the branch is used and there is no other one).
CREATE FUNCTION "create_jobs"("requests" jsonb, "answer_hours" int, "may_wait" boolean)
RETURNS TABLE ("place" int, "outcome" text, "facts" jsonb) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  r record;
  -- State of the project, or null if it has not been locked yet.
  project text;
  project_state text;
  subscribed text[];
  auditors text[];
  -- State of the quota for one kind of run.
  quota_kind run_kind;
  remaining int;
  reset_seconds int;
  -- The accepted requests that have not been inserted yet.
  places int[] := '{}';
  times timestamptz[] := '{}';
  branches text[] := '{}';
  stored record;
  duplicate text;
  open_count int;
  reserved_count int;
  branch text;
  body text;
  created timestamptz;
BEGIN
  IF NOT may_wait THEN
    -- Bounds the wait for the lock of a webhook endpoint that is being removed.
    PERFORM set_config('lock_timeout', '500ms', true);
  END IF;
  FOR r IN
    SELECT * FROM ROWS FROM (jsonb_to_recordset(requests) AS (
      "projectId" text, "kind" run_kind, "limit" int, "windowSeconds" double precision, "prompt" text, "baseBranch" text,
      "branch" text, "act" jsonb, "after" json, "body" jsonb, "key" text, "hash" text, "refused" boolean,
      "dedupe" boolean, "maxOpenPullRequests" int, "adapts" boolean, "otherBranch" text
    )) WITH ORDINALITY
  LOOP
    place := r.ordinality - 1;
    facts := NULL;
    IF project IS DISTINCT FROM r."projectId" THEN
      project := r."projectId";
      project_state := NULL;
      quota_kind := NULL;
    END IF;

    IF r."key" IS NOT NULL THEN
      SELECT * INTO stored FROM "find_answer"(project, r."key", decode(r."hash", 'hex'), answer_hours);
      IF stored.state = 'stored' THEN
        outcome := 'replayed';
        facts := jsonb_build_object('answer', stored.answer);
        RETURN NEXT;
        CONTINUE;
      ELSIF stored.state <> 'unused' THEN
        outcome := stored.state;
        RETURN NEXT;
        CONTINUE;
      END IF;
    END IF;
    IF r."refused" THEN
      outcome := 'refused';
      RETURN NEXT;
      CONTINUE;
    END IF;

    IF project_state IS NULL THEN
      -- A deletion in progress holds the row. A deleted project gets no new rows.
      IF may_wait THEN
        PERFORM FROM "projects" WHERE "id" = project AND "deleted_at" IS NULL FOR KEY SHARE;
        project_state := CASE WHEN FOUND THEN 'open' ELSE 'not_found' END;
      ELSE
        PERFORM FROM "projects" WHERE "id" = project AND "deleted_at" IS NULL FOR KEY SHARE SKIP LOCKED;
        project_state := CASE WHEN FOUND THEN 'open' ELSE 'busy' END;
      END IF;
      -- All creations in the project wait for this lock, so it is acquired as late as possible.
      IF project_state = 'open' AND NOT "lock_quota"(project, may_wait) THEN
        project_state := 'busy';
      END IF;
      IF project_state = 'open' THEN
        subscribed := "list_subscribed"(project, 'job.created');
        auditors := "list_subscribed"(project, 'audit.event');
      END IF;
    END IF;
    IF project_state <> 'open' THEN
      outcome := project_state;
      RETURN NEXT;
      CONTINUE;
    END IF;

    -- The count and the rules below read the jobs of the requests before this one.
    IF cardinality(places) > 0 AND (
      quota_kind <> r."kind" OR r."dedupe" OR r."maxOpenPullRequests" IS NOT NULL OR r."adapts"
    ) THEN
      PERFORM "insert_jobs"(requests, places, times, branches);
      places := '{}';
      times := '{}';
      branches := '{}';
    END IF;

    IF quota_kind IS DISTINCT FROM r."kind" THEN
      quota_kind := r."kind";
      SELECT r."limit" - used, seconds_left INTO remaining, reset_seconds
      FROM "count_runs"(project, quota_kind, r."limit", r."windowSeconds");
    END IF;
    IF remaining <= 0 THEN
      outcome := 'used_up';
      facts := jsonb_build_object('resetSeconds', reset_seconds);
      RETURN NEXT;
      CONTINUE;
    END IF;

    IF r."dedupe" THEN
      -- Follow-up runs have other prompts than their job's first one.
      SELECT "jobs"."id" INTO duplicate FROM "runs" JOIN "jobs" ON "jobs"."id" = "runs"."job_id"
      WHERE "runs"."active" AND "runs"."kind" <> 'message' AND "runs"."project_id" = project
        AND "jobs"."base_branch" IS NOT DISTINCT FROM r."baseBranch"
        AND regexp_replace("runs"."prompt", '^\s+|\s+$', '', 'g') = regexp_replace(r."prompt", '^\s+|\s+$', '', 'g')
      ORDER BY "jobs"."id" LIMIT 1;
      IF FOUND THEN
        outcome := 'duplicate';
        facts := jsonb_build_object('jobId', duplicate);
        RETURN NEXT;
        CONTINUE;
      END IF;
    END IF;

    IF r."maxOpenPullRequests" IS NOT NULL THEN
      -- Active jobs without a pull request count as open ones, because they may open one at any time.
      SELECT (SELECT count(*) FROM "jobs" WHERE "project_id" = project AND "pr_state" = 'open'),
        (SELECT count(*) FROM "jobs" WHERE "project_id" = project AND "status" = 'active' AND "pr_url" IS NULL)
      INTO open_count, reserved_count;
      IF open_count + reserved_count >= r."maxOpenPullRequests" THEN
        outcome := 'too_many_pull_requests';
        facts := jsonb_build_object('open', open_count, 'reserved', reserved_count, 'urls', to_jsonb(ARRAY(
          SELECT "pr_url" FROM "jobs" WHERE "project_id" = project AND "pr_state" = 'open' ORDER BY "id" LIMIT 5)));
        RETURN NEXT;
        CONTINUE;
      END IF;
    END IF;

    branch := r."branch";
    IF r."adapts" THEN
      PERFORM FROM "jobs" WHERE "project_id" = project AND "options" ->> 'branch' = branch LIMIT 1;
      IF FOUND AND r."otherBranch" IS NULL THEN
        outcome := 'branch_used';
        RETURN NEXT;
        CONTINUE;
      ELSIF FOUND THEN
        branch := r."otherBranch";
      END IF;
    END IF;

    -- Not before the count, whose window must not contain more jobs than the limit.
    created := date_trunc('milliseconds', clock_timestamp());
    places := places || place + 1;
    times := times || created;
    branches := branches || branch;
    IF r."key" IS NOT NULL OR cardinality(subscribed) > 0 THEN
      SELECT string_agg(part, "to_json_time"(created) ORDER BY n) INTO body
      FROM jsonb_array_elements_text(r."body") WITH ORDINALITY AS parts (part, n);
    END IF;
    IF r."key" IS NOT NULL THEN
      INSERT INTO "idempotency_keys" ("project_id", "key", "request_hash", "response", "created_at")
      VALUES (project, r."key", decode(r."hash", 'hex'), body, created);
    END IF;
    IF cardinality(subscribed) > 0 THEN
      PERFORM "insert_event"(project, 'job.created', '{"job":' || body || '}', created, subscribed);
    END IF;
    IF cardinality(auditors) > 0 THEN
      PERFORM "publish_act"(r."act", NULL, r."after", created, auditors);
    END IF;
    remaining := remaining - 1;
    outcome := 'created';
    facts := jsonb_build_object('at', "to_json_time"(created), 'remaining', remaining, 'resetSeconds', reset_seconds);
    RETURN NEXT;
  END LOOP;
  IF cardinality(places) > 0 THEN
    PERFORM "insert_jobs"(requests, places, times, branches);
  END IF;
END $$;
