-- Creates jobs, each with its first run, its first event, its audit event and its webhook events, or
-- says why not. Each request is decided as if it were alone, after those before it. Requests of a
-- project must be neighbours. With `may_wait` false, a project whose quota lock or row is not free at
-- once has the outcome `busy`, so that no project waits for another one. With true, all requests must
-- be of one project. `body` can be missing if `key` is missing and `may_wait` is false; a request whose
-- webhook events need it is `busy`. A `key` with `whileActive` is valid as long as its job is active. Such
-- requests wait for each other, and are never in_flight.
--
-- Outcomes: created (`at`, `remaining`, `resetSeconds`), replayed (`answer`), in_flight, mismatch,
-- refused (the caller has a reason, which concerns only new requests), busy, not_found, used_up
-- (`resetSeconds`), duplicate (`jobId`), too_many_pull_requests (`open`, `reserved`, `urls`),
-- branch_used (the branch is used and there is no other one).
CREATE OR REPLACE FUNCTION "create_jobs"("requests" jsonb, "answer_hours" int, "may_wait" boolean)
RETURNS TABLE ("place" int, "outcome" text, "facts" jsonb) LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  r record;
  -- State of the project, or null if it has not been locked yet.
  project text;
  project_state text;
  subscribed text[];
  auditors text[];
  -- Projects whose row and quota lock were free at once, and those of them with endpoints.
  free text[];
  with_endpoints text[];
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
    -- For all projects together, because statements cost more than rows. A deletion in progress holds
    -- the row of the project.
    WITH unlocked AS MATERIALIZED (
      SELECT "id" FROM "projects"
      WHERE "id" = ANY (ARRAY(SELECT e ->> 'projectId' FROM jsonb_array_elements(requests) AS e)) AND "deleted_at" IS NULL
      FOR KEY SHARE SKIP LOCKED
    )
    SELECT array_agg("id") INTO free FROM unlocked WHERE "lock_quota"("id", false);
    SELECT array_agg(DISTINCT "project_id") INTO with_endpoints
    FROM "webhook_endpoints" WHERE "project_id" = ANY (free) AND "disabled_at" IS NULL;
  END IF;
  FOR r IN
    SELECT * FROM ROWS FROM (jsonb_to_recordset(requests) AS (
      "projectId" text, "kind" run_kind, "limit" int, "windowSeconds" double precision, "prompt" text, "baseBranch" text,
      "branch" text, "act" jsonb, "after" json, "body" jsonb, "key" text, "hash" text, "refused" boolean, "whileActive" boolean,
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

    IF r."key" IS NOT NULL AND r."whileActive" IS NOT TRUE THEN
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
    IF project_state IS NULL THEN
      subscribed := '{}';
      auditors := '{}';
      IF may_wait THEN
        -- A deletion in progress holds the row. A deleted project gets no new rows.
        PERFORM FROM "projects" WHERE "id" = project AND "deleted_at" IS NULL FOR KEY SHARE;
        project_state := CASE WHEN FOUND THEN 'open' ELSE 'not_found' END;
        -- All creations in the project wait for this lock, so it is acquired as late as possible.
        IF project_state = 'open' THEN
          PERFORM "lock_quota"(project, true);
        END IF;
      ELSE
        project_state := CASE WHEN project = ANY (free) THEN 'open' ELSE 'busy' END;
      END IF;
      IF project_state = 'open' AND (may_wait OR project = ANY (with_endpoints)) THEN
        subscribed := "list_subscribed"(project, 'job.created');
        auditors := "list_subscribed"(project, 'audit.event');
      END IF;
    END IF;
    IF project_state <> 'open' OR (r."refused" IS NOT TRUE AND r."body" IS NULL AND cardinality(subscribed) > 0) THEN
      outcome := CASE WHEN project_state = 'open' THEN 'busy' ELSE project_state END;
      RETURN NEXT;
      CONTINUE;
    END IF;

    -- The count and the rules below read the jobs of the requests before this one.
    IF cardinality(places) > 0 AND (
      quota_kind <> r."kind" OR r."whileActive" OR r."dedupe" OR r."maxOpenPullRequests" IS NOT NULL OR r."adapts"
    ) THEN
      PERFORM "insert_jobs"(requests, places, times, branches);
      places := '{}';
      times := '{}';
      branches := '{}';
    END IF;

    IF r."whileActive" THEN
      -- The quota lock protects the key, so that this transaction does not hold a lock of its own for it.
      SELECT k."response" INTO body FROM "idempotency_keys" AS k JOIN "jobs" AS j ON j."id" = k."response"::json ->> 'id'
      WHERE k."project_id" = project AND k."key" = r."key" AND j."status" = 'active';
      IF FOUND THEN
        outcome := 'replayed';
        facts := jsonb_build_object('answer', body);
        RETURN NEXT;
        CONTINUE;
      END IF;
    END IF;
    IF r."refused" THEN
      outcome := 'refused';
      RETURN NEXT;
      CONTINUE;
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
    IF r."whileActive" THEN
      -- Of a job that has ended.
      DELETE FROM "idempotency_keys" WHERE "project_id" = project AND "key" = r."key";
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
