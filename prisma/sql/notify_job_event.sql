-- Live readers are woken here and read the rows themselves.
CREATE OR REPLACE FUNCTION "notify_job_event"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('corrigenda_job_events', NEW."job_id" || ' ' || NEW."seq");
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER "notify_job_event" AFTER INSERT ON "job_events" FOR EACH ROW EXECUTE FUNCTION "notify_job_event"();
