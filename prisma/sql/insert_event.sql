-- Inserts an event with its payload as it will be sent, and a delivery for each endpoint. Returns the
-- ids of the deliveries, in the order of the endpoints.
CREATE OR REPLACE FUNCTION "insert_event"("the_project" text, "the_type" text, "data" text, "at" timestamptz, "endpoints" text[])
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
