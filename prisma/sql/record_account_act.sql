-- The sign-in library writes accounts, sign-in methods and sessions with its own queries, so a trigger
-- records them in the transaction that writes them. A transaction of the service names the actor in
-- "corrigenda.actor"; otherwise, users act on their own account. The demo account is not recorded.
CREATE OR REPLACE FUNCTION "record_account_act"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  actor jsonb := nullif(current_setting('corrigenda.actor', true), '')::jsonb;
  holder "users"%ROWTYPE;
  act "audit_events"%ROWTYPE;
BEGIN
  IF TG_TABLE_NAME = 'users' THEN
    holder := NEW;
    act."action" := 'account.created';
    act."after" := jsonb_build_object('email', NEW."email", 'isAdmin', NEW."is_operator");
  ELSE
    SELECT * INTO holder FROM "users" WHERE "id" = NEW."user_id";
    IF TG_TABLE_NAME = 'sessions' THEN
      act."action" := 'session.signed_in';
      act."ip_address" := NEW."ip_address";
      act."after" := jsonb_strip_nulls(jsonb_build_object('method', NEW."method"));
    ELSIF NEW."provider_id" = 'credential' THEN
      act."action" := 'account.password_set';
    ELSE
      act."action" := 'account.provider_linked';
      act."after" := jsonb_build_object('provider', NEW."provider_id");
    END IF;
  END IF;
  IF holder."is_demo" THEN
    RETURN NULL;
  END IF;
  IF actor IS NULL THEN
    actor := jsonb_build_object('type', 'user', 'id', holder."id", 'name', holder."name", 'ipAddress', act."ip_address");
  END IF;
  INSERT INTO "audit_events" ("id", "action", "actor_type", "actor_id", "actor_name", "ip_address", "request_id",
    "target_type", "target_id", "target_name", "after")
  VALUES (
    'aud_' || left(replace(gen_random_uuid()::text, '-', ''), 26), act."action",
    actor->>'type', actor->>'id', actor->>'name', actor->>'ipAddress', actor->>'requestId',
    CASE TG_TABLE_NAME WHEN 'sessions' THEN 'session' ELSE 'account' END,
    CASE TG_TABLE_NAME WHEN 'sessions' THEN NEW."id" ELSE holder."id" END,
    CASE TG_TABLE_NAME WHEN 'sessions' THEN NULL ELSE holder."name" END,
    act."after");
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER "record_user" AFTER INSERT ON "users" FOR EACH ROW EXECUTE FUNCTION "record_account_act"();

CREATE OR REPLACE TRIGGER "record_sign_in_method" AFTER INSERT ON "accounts" FOR EACH ROW EXECUTE FUNCTION "record_account_act"();

CREATE OR REPLACE TRIGGER "record_password" AFTER UPDATE OF "password" ON "accounts" FOR EACH ROW
  WHEN (OLD."password" IS DISTINCT FROM NEW."password") EXECUTE FUNCTION "record_account_act"();

CREATE OR REPLACE TRIGGER "record_session" AFTER INSERT ON "sessions" FOR EACH ROW EXECUTE FUNCTION "record_account_act"();
