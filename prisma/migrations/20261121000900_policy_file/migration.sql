-- The repository's own policy (.corrigenda.yml) as the run found it when it began: [{"path", "blob", "policy"}]. A resumed run keeps it, and a follow-up
-- that goes on with a branch is bound by what its job began with.
ALTER TABLE "runs" ADD COLUMN "policy_files" JSONB;
ALTER TABLE "runs" ADD CONSTRAINT "runs_policy_files_are_a_list" CHECK ("policy_files" IS NULL OR jsonb_typeof("policy_files") = 'array');

CREATE FUNCTION "guard_run_policy_files"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Written together with the base commit, which is pinned.
  IF OLD."base_commit" IS NOT NULL AND NEW."policy_files" IS DISTINCT FROM OLD."policy_files" THEN
    RAISE EXCEPTION 'the policy files of run % are pinned', OLD."id" USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER "guard_run_policy_files" BEFORE UPDATE OF "policy_files" ON "runs" FOR EACH ROW EXECUTE FUNCTION "guard_run_policy_files"();
