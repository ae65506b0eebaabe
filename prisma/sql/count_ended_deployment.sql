CREATE OR REPLACE FUNCTION "count_ended_deployment"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO metric_counts (project_id, metric, label, value) VALUES (NEW.project_id, 'deployments', NEW.status::text, 1);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER "count_ended_deployment" AFTER UPDATE OF "status" ON "deployments" FOR EACH ROW
  WHEN (OLD.status IN ('queued', 'in_progress') AND NEW.status IN ('success', 'failure'))
  EXECUTE FUNCTION "count_ended_deployment"();
