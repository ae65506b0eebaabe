CREATE OR REPLACE FUNCTION "record_session"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  the_user record;
BEGIN
  SELECT "name", "is_demo" INTO the_user FROM "users" WHERE "id" = NEW."user_id";
  IF NOT the_user."is_demo" THEN
    PERFORM "record_account_act"('session.signed_in', NEW."user_id", the_user."name", NEW."ip_address", 'session', NEW."id", NULL, jsonb_strip_nulls(jsonb_build_object('method', to_jsonb(NEW)->'method')));
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER "record_session" AFTER INSERT ON "sessions" FOR EACH ROW EXECUTE FUNCTION "record_session"();
