-- A job that is continued by a follow-up ends again and is counted again.
CREATE OR REPLACE FUNCTION "count_ended_job"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO metric_counts (project_id, metric, label, detail, value)
    VALUES (NEW.project_id, 'jobs_ended', coalesce(NEW.outcome::text, ''), coalesce(NEW.failure_code, ''), 1);
  INSERT INTO metric_counts (project_id, metric, label, detail, value)
    SELECT NEW.project_id, 'checks', coalesce(c ->> 'name', ''), coalesce(c ->> 'status', ''), 1
    FROM jsonb_array_elements(NEW.checks) c;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER "count_ended_job" AFTER UPDATE OF "status" ON "jobs" FOR EACH ROW
  WHEN (OLD.status = 'active' AND NEW.status <> 'active') EXECUTE FUNCTION "count_ended_job"();
