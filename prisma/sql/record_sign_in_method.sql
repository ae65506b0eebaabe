CREATE OR REPLACE FUNCTION "record_sign_in_method"() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE OR REPLACE TRIGGER "record_new_password" AFTER UPDATE OF "password" ON "accounts" FOR EACH ROW
  WHEN (OLD."password" IS DISTINCT FROM NEW."password") EXECUTE FUNCTION "record_sign_in_method"();

CREATE OR REPLACE TRIGGER "record_new_sign_in_method" AFTER INSERT ON "accounts" FOR EACH ROW EXECUTE FUNCTION "record_sign_in_method"();
