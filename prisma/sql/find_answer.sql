-- Looks for the stored response to an earlier request with the same key. An unused key stays locked
-- until the transaction ends. `state` is in_flight while the first request is running, unused,
-- mismatch if the key was used for a different request, or stored.
CREATE OR REPLACE FUNCTION "find_answer"("the_project" text, "the_key" text, "hash" bytea, "hours" int,
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
