CREATE OR REPLACE FUNCTION "count_cost"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO metric_counts (project_id, metric, label, value)
    SELECT NEW.project_id, 'cost', j.model, NEW.counted_cost_usd - OLD.counted_cost_usd
    FROM jobs j WHERE j.id = NEW.job_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER "count_cost" AFTER UPDATE OF "counted_cost_usd" ON "runs" FOR EACH ROW
  WHEN (NEW.counted_cost_usd > OLD.counted_cost_usd) EXECUTE FUNCTION "count_cost"();
