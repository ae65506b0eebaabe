CREATE OR REPLACE FUNCTION "guard_deployment"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW."id", NEW."seq", NEW."project_id", NEW."source", NEW."created_at")
     IS DISTINCT FROM (OLD."id", OLD."seq", OLD."project_id", OLD."source", OLD."created_at") THEN
    RAISE EXCEPTION 'identity, place, project and source of deployment % never change', OLD."id" USING ERRCODE = 'check_violation';
  END IF;
  -- The job can still be deleted.
  IF OLD."ended_at" IS NOT NULL AND (to_jsonb(NEW) - 'job_id') IS DISTINCT FROM (to_jsonb(OLD) - 'job_id') THEN
    RAISE EXCEPTION 'deployment % has ended', OLD."id" USING ERRCODE = 'check_violation';
  END IF;
  IF (NEW."preview_branch", NEW."preview_url") IS DISTINCT FROM (OLD."preview_branch", OLD."preview_url") THEN
    RAISE EXCEPTION 'the preview of deployment % never changes', OLD."id" USING ERRCODE = 'check_violation';
  END IF;
  IF OLD."status" = 'in_progress' AND NEW."status" = 'queued' THEN
    RAISE EXCEPTION 'deployment % has begun', OLD."id" USING ERRCODE = 'check_violation';
  END IF;
  IF NEW."attempt" < OLD."attempt" THEN
    RAISE EXCEPTION 'the attempts of deployment % never fall', OLD."id" USING ERRCODE = 'check_violation';
  END IF;
  IF OLD."commit" IS NOT NULL AND NEW."commit" IS DISTINCT FROM OLD."commit" THEN
    RAISE EXCEPTION 'the commit of deployment % is pinned', OLD."id" USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER "guard_deployment" BEFORE UPDATE ON "deployments" FOR EACH ROW EXECUTE FUNCTION "guard_deployment"();
