-- Deploy targets hold secrets: the address of a hook, inputs and payloads of workflows. What is written from now on is sealed:
-- {"kind": …, "sealed": base64}. A target that was stored before stays readable and is sealed when it is set again.
CREATE FUNCTION "guard_deploy_target"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW."deploy_target" IS NOT DISTINCT FROM OLD."deploy_target" THEN
    RETURN NEW;
  END IF;
  IF NEW."deploy_target" IS NOT NULL AND (
    jsonb_typeof(NEW."deploy_target" -> 'sealed') IS DISTINCT FROM 'string'
    OR NEW."deploy_target" - ARRAY['kind', 'sealed'] <> '{}'::jsonb
  ) THEN
    RAISE EXCEPTION 'the deploy target of project % is not sealed', NEW."id" USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "guard_deploy_target" BEFORE INSERT OR UPDATE OF "deploy_target" ON "projects"
  FOR EACH ROW EXECUTE FUNCTION "guard_deploy_target"();

-- A job shows its newest deployment: an older one that ends later does not take its place.
CREATE OR REPLACE FUNCTION "show_deployment"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "jobs" SET
    "deployment" = jsonb_build_object('statusId', NEW."id", 'status', NEW."status", 'url', NEW."url"),
    "updated_at" = clock_timestamp()
  WHERE "id" = NEW."job_id"
    AND NOT EXISTS (SELECT 1 FROM "deployments" AS later WHERE later."job_id" = NEW."job_id" AND later."seq" > NEW."seq");
  RETURN NULL;
END $$;
-- What is too old to keep.
CREATE INDEX "deployments_ended" ON "deployments" ("ended_at") WHERE "ended_at" IS NOT NULL;

ALTER TABLE "pull_request_watches"
  -- A worker is looking until then, and nobody else does.
  ADD COLUMN "lease_until" TIMESTAMPTZ(3),
  -- The Git host asked for patience until then: no event makes the look earlier.
  ADD COLUMN "rests_until" TIMESTAMPTZ(3);
