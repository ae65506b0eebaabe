CREATE OR REPLACE FUNCTION "record_user"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "record_account_act"('account.created', NEW."id", NEW."name", NULL, 'account', NEW."id", NEW."name", jsonb_build_object('email', NEW."email", 'isAdmin', NEW."is_operator"));
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER "record_user" AFTER INSERT ON "users" FOR EACH ROW WHEN (NOT NEW."is_demo") EXECUTE FUNCTION "record_user"();
