CREATE OR REPLACE FUNCTION "count_created_jobs"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO metric_counts (project_id, metric, value)
    SELECT project_id, 'jobs_created', count(*) FROM created GROUP BY project_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER "count_created_jobs" AFTER INSERT ON "jobs" REFERENCING NEW TABLE AS created
  FOR EACH STATEMENT EXECUTE FUNCTION "count_created_jobs"();
