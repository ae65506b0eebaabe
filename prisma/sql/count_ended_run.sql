-- A claim that ended neither with the run nor with a release was lost, and another worker took over.
CREATE OR REPLACE FUNCTION "count_ended_run"() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE OR REPLACE TRIGGER "count_ended_run" AFTER UPDATE OF "active" ON "runs" FOR EACH ROW
  WHEN (OLD.active AND NOT NEW.active) EXECUTE FUNCTION "count_ended_run"();
