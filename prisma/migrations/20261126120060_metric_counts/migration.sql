-- Counts of events for metrics. Triggers add rows in the transaction of the event, so that a count is
-- correct whichever process causes the event and whether it survives. Adding rows needs no locks, and
-- workers replace them with their sums. There is no foreign key, because the counts of a deleted
-- project remain in the totals.
CREATE TABLE "metric_counts" (
  "id" BIGSERIAL PRIMARY KEY,
  "project_id" TEXT NOT NULL,
  "metric" TEXT NOT NULL,
  "label" TEXT NOT NULL DEFAULT '',
  "detail" TEXT NOT NULL DEFAULT '',
  "value" DECIMAL(20, 6) NOT NULL
);

CREATE FUNCTION "count_created_jobs"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO metric_counts (project_id, metric, value)
    SELECT project_id, 'jobs_created', count(*) FROM created GROUP BY project_id;
  RETURN NULL;
END $$;
CREATE TRIGGER "count_created_jobs" AFTER INSERT ON "jobs" REFERENCING NEW TABLE AS created
  FOR EACH STATEMENT EXECUTE FUNCTION "count_created_jobs"();

-- A job that is continued by a follow-up ends again and is counted again.
CREATE FUNCTION "count_ended_job"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO metric_counts (project_id, metric, label, detail, value)
    VALUES (NEW.project_id, 'jobs_ended', coalesce(NEW.outcome::text, ''), coalesce(NEW.failure_code, ''), 1);
  INSERT INTO metric_counts (project_id, metric, label, detail, value)
    SELECT NEW.project_id, 'checks', coalesce(c ->> 'name', ''), coalesce(c ->> 'status', ''), 1
    FROM jsonb_array_elements(NEW.checks) c;
  RETURN NULL;
END $$;
CREATE TRIGGER "count_ended_job" AFTER UPDATE OF "status" ON "jobs" FOR EACH ROW
  WHEN (OLD.status = 'active' AND NEW.status <> 'active') EXECUTE FUNCTION "count_ended_job"();

CREATE FUNCTION "count_pull_request"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO metric_counts (project_id, metric, label, value)
    SELECT NEW.project_id, 'pull_requests', event, 1 FROM (VALUES
      ('opened', OLD.pr_url IS DISTINCT FROM NEW.pr_url),
      ('reopened', OLD.pr_url = NEW.pr_url AND OLD.pr_state <> 'open' AND NEW.pr_state = 'open'),
      ('merged', NEW.pr_state = 'merged' AND (OLD.pr_state IS DISTINCT FROM 'merged' OR OLD.pr_url <> NEW.pr_url)),
      ('closed', NEW.pr_state = 'closed' AND (OLD.pr_state IS DISTINCT FROM 'closed' OR OLD.pr_url <> NEW.pr_url))
    ) AS events (event, happened) WHERE happened;
  RETURN NULL;
END $$;
CREATE TRIGGER "count_pull_request" AFTER UPDATE OF "pr_url", "pr_state" ON "jobs" FOR EACH ROW
  WHEN (NEW.pr_url IS NOT NULL AND (OLD.pr_url IS DISTINCT FROM NEW.pr_url OR OLD.pr_state IS DISTINCT FROM NEW.pr_state))
  EXECUTE FUNCTION "count_pull_request"();

-- A claim that ended neither with the run nor with a release was lost, and another worker took over.
CREATE FUNCTION "count_ended_run"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO metric_counts (project_id, metric, label, detail, value)
    SELECT NEW.project_id, c.metric, c.label, c.detail, c.value
    FROM jobs j, LATERAL (
      SELECT coalesce((NEW.usage_before ->> 'inputTokens')::int, 0), coalesce((NEW.usage_before ->> 'outputTokens')::int, 0),
        coalesce((NEW.usage_before ->> 'cacheReadTokens')::int, 0),
        coalesce((NEW.usage_before ->> 'cacheWriteTokens')::int, 0), coalesce((NEW.usage_before ->> 'turns')::int, 0)
    ) AS before (input, output, cache_read, cache_write, turns), LATERAL (VALUES
      ('runs', NEW.kind::text, '', 1),
      ('attempts', '', '', NEW.attempt),
      ('recoveries', '', '', NEW.attempt - NEW.handovers - NEW.failures - 1),
      ('releases', 'shutdown_or_wait', '', NEW.handovers),
      ('releases', 'error', '', NEW.failures),
      ('worked_ms', '', '', NEW.worked_ms),
      ('turns', j.model, '', j.turns - before.turns),
      ('tokens', j.model, 'input', j.input_tokens - before.input),
      ('tokens', j.model, 'output', j.output_tokens - before.output),
      ('tokens', j.model, 'cache_read', j.cache_read_tokens - before.cache_read),
      ('tokens', j.model, 'cache_write', j.cache_write_tokens - before.cache_write)
    ) AS c (metric, label, detail, value)
    WHERE j.id = NEW.job_id AND c.value > 0;
  RETURN NULL;
END $$;
CREATE TRIGGER "count_ended_run" AFTER UPDATE OF "active" ON "runs" FOR EACH ROW
  WHEN (OLD.active AND NOT NEW.active) EXECUTE FUNCTION "count_ended_run"();

CREATE FUNCTION "count_cost"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO metric_counts (project_id, metric, label, value)
    SELECT NEW.project_id, 'cost', j.model, NEW.counted_cost_usd - OLD.counted_cost_usd
    FROM jobs j WHERE j.id = NEW.job_id;
  RETURN NULL;
END $$;
CREATE TRIGGER "count_cost" AFTER UPDATE OF "counted_cost_usd" ON "runs" FOR EACH ROW
  WHEN (NEW.counted_cost_usd > OLD.counted_cost_usd) EXECUTE FUNCTION "count_cost"();

CREATE FUNCTION "count_ended_delivery"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO metric_counts (project_id, metric, label, value)
    SELECT e.project_id, 'deliveries', NEW.status::text, 1 FROM webhook_endpoints e WHERE e.id = NEW.endpoint_id;
  RETURN NULL;
END $$;
CREATE TRIGGER "count_ended_delivery" AFTER UPDATE OF "status" ON "webhook_deliveries" FOR EACH ROW
  WHEN (OLD.status = 'pending' AND NEW.status <> 'pending') EXECUTE FUNCTION "count_ended_delivery"();

CREATE FUNCTION "count_ended_deployment"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO metric_counts (project_id, metric, label, value) VALUES (NEW.project_id, 'deployments', NEW.status::text, 1);
  RETURN NULL;
END $$;
CREATE TRIGGER "count_ended_deployment" AFTER UPDATE OF "status" ON "deployments" FOR EACH ROW
  WHEN (OLD.status IN ('queued', 'in_progress') AND NEW.status IN ('success', 'failure'))
  EXECUTE FUNCTION "count_ended_deployment"();
