-- The audit log. Rows have no foreign keys, because they outlive the objects that they name.
CREATE TABLE "audit_events" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
  "action" TEXT NOT NULL CHECK ("action" ~ '^[a-z_]+\.[a-z_]+$'),
  "actor_type" TEXT NOT NULL CHECK ("actor_type" IN ('user', 'key', 'command_line', 'anonymous', 'system')),
  "actor_id" TEXT,
  "actor_name" TEXT NOT NULL,
  "ip_address" TEXT,
  "request_id" TEXT,
  "project_id" TEXT,
  "target_type" TEXT,
  "target_id" TEXT,
  "target_name" TEXT,
  "before" JSONB,
  "after" JSONB
);
CREATE INDEX "audit_events_page" ON "audit_events" ("created_at" DESC, "id" DESC);
CREATE INDEX "audit_events_project_page" ON "audit_events" ("project_id", "created_at" DESC, "id" DESC);
CREATE INDEX "audit_events_action_page" ON "audit_events" ("action", "created_at" DESC, "id" DESC);
CREATE INDEX "audit_events_actor_page" ON "audit_events" ("actor_id", "created_at" DESC, "id" DESC);

-- Rows are never changed. They can be deleted only after 90 days, for retention.
CREATE FUNCTION "guard_audit_event"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND OLD."created_at" < clock_timestamp() - interval '90 days' THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER "guard_audit_event" BEFORE UPDATE OR DELETE ON "audit_events"
  FOR EACH ROW EXECUTE FUNCTION "guard_audit_event"();
CREATE TRIGGER "guard_audit_events" BEFORE TRUNCATE ON "audit_events"
  FOR EACH STATEMENT EXECUTE FUNCTION "guard_audit_event"();

-- Returns an id in the format of newId(). The random part is hexadecimal, which its alphabet includes.
CREATE FUNCTION "new_audit_id"() RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  letters CONSTANT text := '0123456789abcdefghjkmnpqrstvwxyz';
  rest bigint := floor(extract(epoch FROM clock_timestamp()) * 1000);
  stamp text := '';
BEGIN
  FOR i IN 1..10 LOOP
    stamp := substr(letters, (rest % 32)::int + 1, 1) || stamp;
    rest := rest / 32;
  END LOOP;
  RETURN 'aud_' || stamp || right(replace(gen_random_uuid()::text, '-', ''), 16);
END $$;

-- Accounts, sign-in methods and sessions are written by the sign-in library, so triggers record
-- them. A transaction of the service sets the actor; otherwise, users act on their own account.
CREATE FUNCTION "record_account_act"("the_action" text, "user_id" text, "user_name" text, "address" text, "target_type" text, "target_id" text, "target_name" text, "new_values" jsonb)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  actor jsonb := nullif(current_setting('corrigenda.actor', true), '')::jsonb;
BEGIN
  INSERT INTO "audit_events" ("id", "action", "actor_type", "actor_id", "actor_name", "ip_address", "request_id", "target_type", "target_id", "target_name", "after")
  VALUES (
    "new_audit_id"(), the_action,
    coalesce(actor->>'type', 'user'),
    CASE WHEN actor IS NULL THEN user_id ELSE actor->>'id' END,
    coalesce(actor->>'name', user_name),
    CASE WHEN actor IS NULL THEN address ELSE actor->>'ipAddress' END,
    actor->>'requestId',
    target_type, target_id, target_name, new_values
  );
END $$;

CREATE FUNCTION "record_user"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "record_account_act"('account.created', NEW."id", NEW."name", NULL, 'account', NEW."id", NEW."name", jsonb_build_object('email', NEW."email", 'isAdmin', NEW."is_operator"));
  RETURN NULL;
END $$;
CREATE TRIGGER "record_user" AFTER INSERT ON "users" FOR EACH ROW WHEN (NOT NEW."is_demo") EXECUTE FUNCTION "record_user"();

CREATE FUNCTION "record_sign_in_method"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  the_name text;
BEGIN
  SELECT "name" INTO the_name FROM "users" WHERE "id" = NEW."user_id";
  IF NEW."provider_id" = 'credential' THEN
    PERFORM "record_account_act"('account.password_set', NEW."user_id", the_name, NULL, 'account', NEW."user_id", the_name, NULL);
  ELSE
    PERFORM "record_account_act"('account.provider_linked', NEW."user_id", the_name, NULL, 'account', NEW."user_id", the_name, jsonb_build_object('provider', NEW."provider_id"));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "record_new_sign_in_method" AFTER INSERT ON "accounts" FOR EACH ROW EXECUTE FUNCTION "record_sign_in_method"();
CREATE TRIGGER "record_new_password" AFTER UPDATE OF "password" ON "accounts" FOR EACH ROW
  WHEN (OLD."password" IS DISTINCT FROM NEW."password") EXECUTE FUNCTION "record_sign_in_method"();

CREATE FUNCTION "record_session"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  the_user record;
BEGIN
  SELECT "name", "is_demo" INTO the_user FROM "users" WHERE "id" = NEW."user_id";
  IF NOT the_user."is_demo" THEN
    PERFORM "record_account_act"('session.signed_in', NEW."user_id", the_user."name", NEW."ip_address", 'session', NEW."id", NULL, jsonb_strip_nulls(jsonb_build_object('method', to_jsonb(NEW)->'method')));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "record_session" AFTER INSERT ON "sessions" FOR EACH ROW EXECUTE FUNCTION "record_session"();
