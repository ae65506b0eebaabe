CREATE OR REPLACE FUNCTION "count_ended_delivery"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO metric_counts (project_id, metric, label, value)
    SELECT e.project_id, 'deliveries', NEW.status::text, 1 FROM webhook_endpoints e WHERE e.id = NEW.endpoint_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER "count_ended_delivery" AFTER UPDATE OF "status" ON "webhook_deliveries" FOR EACH ROW
  WHEN (OLD.status = 'pending' AND NEW.status <> 'pending') EXECUTE FUNCTION "count_ended_delivery"();
