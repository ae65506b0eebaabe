-- What is told to deploy the documentation: {"kind": "hook" | "workflow_dispatch" | "repository_dispatch", …}. The application knows the rest of the shape.
ALTER TABLE "projects" ADD COLUMN "deploy_target" JSONB;
ALTER TABLE "projects" ADD COLUMN "deploy_on_merge" BOOLEAN NOT NULL DEFAULT false;
UPDATE "projects" SET "deploy_target" = jsonb_build_object('kind', 'hook', 'url', "deploy_hook_url") WHERE "deploy_hook_url" IS NOT NULL;
ALTER TABLE "projects" DROP COLUMN "deploy_hook_url";
ALTER TABLE "projects"
  ADD CONSTRAINT "projects_deploy_target_is_known" CHECK (
    "deploy_target" IS NULL
    OR coalesce("deploy_target" ->> 'kind' IN ('hook', 'workflow_dispatch', 'repository_dispatch'), false)
  );

-- Order of a project's deployments: numbers are given out under a lock, so that none becomes visible before a lower one.
ALTER TABLE "deployments" ADD COLUMN "seq" BIGSERIAL NOT NULL;
-- Lease, fence and attempts, as those of runs.
ALTER TABLE "deployments" ADD COLUMN "attempt" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "deployments" ADD COLUMN "handovers" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "deployments" ADD COLUMN "lease_until" TIMESTAMPTZ(3);
ALTER TABLE "deployments" ADD COLUMN "lease_owner" TEXT;
ALTER TABLE "deployments" ADD COLUMN "started_at" TIMESTAMPTZ(3);
-- What a successor must know to go on: calls made so far, the workflow run that was found.
ALTER TABLE "deployments" ADD COLUMN "progress" JSONB NOT NULL DEFAULT '{}';
-- Page of the deployment or of the workflow run.
ALTER TABLE "deployments" ADD COLUMN "url" TEXT;

ALTER TABLE "deployments"
  ADD CONSTRAINT "deployments_ended_has_time" CHECK (("ended_at" IS NOT NULL) = ("status" IN ('success', 'failure'))),
  ADD CONSTRAINT "deployments_started_has_time" CHECK ("status" NOT IN ('in_progress', 'success') OR "started_at" IS NOT NULL),
  ADD CONSTRAINT "deployments_lease_only_while_working" CHECK ("lease_until" IS NULL OR "status" = 'in_progress'),
  ADD CONSTRAINT "deployments_handovers_within_attempts" CHECK ("attempt" >= "handovers" AND "handovers" >= 0),
  ADD CONSTRAINT "deployments_logs_are_a_list" CHECK (jsonb_typeof("logs") = 'array');

-- CreateIndex
CREATE INDEX "deployments_project_id_seq_idx" ON "deployments"("project_id", "seq" DESC);

-- One at a time per project.
CREATE UNIQUE INDEX "deployments_one_in_progress" ON "deployments" ("project_id") WHERE "status" = 'in_progress';
-- What workers ask for every few seconds.
CREATE INDEX "deployments_open" ON "deployments" ("project_id", "seq") WHERE "status" IN ('queued', 'in_progress');

CREATE FUNCTION "guard_deployment"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW."id", NEW."seq", NEW."project_id", NEW."source", NEW."created_at")
     IS DISTINCT FROM (OLD."id", OLD."seq", OLD."project_id", OLD."source", OLD."created_at") THEN
    RAISE EXCEPTION 'identity, place, project and source of deployment % never change', OLD."id" USING ERRCODE = 'check_violation';
  END IF;
  -- The job alone may go, with its row.
  IF OLD."ended_at" IS NOT NULL AND (to_jsonb(NEW) - 'job_id') IS DISTINCT FROM (to_jsonb(OLD) - 'job_id') THEN
    RAISE EXCEPTION 'deployment % has ended', OLD."id" USING ERRCODE = 'check_violation';
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

CREATE TRIGGER "guard_deployment" BEFORE UPDATE ON "deployments" FOR EACH ROW EXECUTE FUNCTION "guard_deployment"();
