-- Rows are never changed. They can be deleted only after 90 days, for retention.
CREATE OR REPLACE FUNCTION "guard_audit_event"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND OLD."created_at" < clock_timestamp() - interval '90 days' THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'check_violation';
END $$;

CREATE OR REPLACE TRIGGER "guard_audit_event" BEFORE UPDATE OR DELETE ON "audit_events"
  FOR EACH ROW EXECUTE FUNCTION "guard_audit_event"();

CREATE OR REPLACE TRIGGER "guard_audit_events" BEFORE TRUNCATE ON "audit_events"
  FOR EACH STATEMENT EXECUTE FUNCTION "guard_audit_event"();
