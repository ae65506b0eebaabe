-- What becomes of a job's pull request: merged or closed, checked, deployed. Looked up on the Git host, sooner when a webhook says that something happened.

CREATE TYPE "pull_request_checks" AS ENUM ('pending', 'passed', 'failed');

ALTER TABLE "jobs"
  ADD COLUMN "pr_checks" "pull_request_checks",
  -- The newest deployment that this job caused: {"statusId", "status", "url"}. Written by the trigger below.
  ADD COLUMN "deployment" JSONB,
  ADD CONSTRAINT "jobs_checks_need_a_pull_request" CHECK ("pr_checks" IS NULL OR "pr_url" IS NOT NULL);

ALTER TABLE "projects" ADD COLUMN "delete_branch_on_close" BOOLEAN NOT NULL DEFAULT false;

CREATE TABLE "pull_request_watches" (
  "job_id" TEXT NOT NULL,
  -- Fence: grows with every look, so that what a slow one saw is not written over what a later one saw.
  "looks" INTEGER NOT NULL DEFAULT 0,
  -- Null: there is nothing more to wait for.
  "next_look_at" TIMESTAMPTZ(3),
  "looked_at" TIMESTAMPTZ(3),
  -- When it was first seen merged or closed.
  "closed_at" TIMESTAMPTZ(3),
  "branch_deleted_at" TIMESTAMPTZ(3),
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "pull_request_watches_pkey" PRIMARY KEY ("job_id"),
  CONSTRAINT "pull_request_watches_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
-- What workers ask for every few seconds.
CREATE INDEX "pull_request_watches_due" ON "pull_request_watches" ("next_look_at") WHERE "next_look_at" IS NOT NULL;
-- What webhooks of the Git host name.
CREATE INDEX "jobs_by_repository" ON "jobs" (lower("repository_url"), "pr_number") WHERE "pr_number" IS NOT NULL;

INSERT INTO "pull_request_watches" ("job_id", "next_look_at") SELECT "id", now() FROM "jobs" WHERE "pr_url" IS NOT NULL;

-- One deployment per merge, whoever sees the merge.
CREATE UNIQUE INDEX "deployments_once_per_merge" ON "deployments" ("job_id") WHERE "source" = 'merge';

-- What may still change on a job that has ended: the life of its pull request, and bookkeeping. Later migrations replace this function alone.
CREATE FUNCTION "job_columns_free_after_end"() RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT ARRAY['pr_state', 'pr_draft', 'pr_checks', 'deployment', 'updated_at', 'last_event_seq', 'retry_of']
$$;

CREATE OR REPLACE FUNCTION "guard_job"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  afterwards text[] := "job_columns_free_after_end"();
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW."status" <> 'active' OR NEW."pr_url" IS NOT NULL THEN
      RAISE EXCEPTION 'a job starts active and without a pull request' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
  END IF;
  IF (NEW."id", NEW."project_id", NEW."repository_url", NEW."created_at")
     IS DISTINCT FROM (OLD."id", OLD."project_id", OLD."repository_url", OLD."created_at") THEN
    RAISE EXCEPTION 'identity, project, repository and creation time of job % never change', OLD."id" USING ERRCODE = 'check_violation';
  END IF;
  IF OLD."pr_url" IS NOT NULL AND (NEW."pr_url", NEW."pr_number", NEW."pr_branch") IS DISTINCT FROM (OLD."pr_url", OLD."pr_number", OLD."pr_branch") THEN
    RAISE EXCEPTION 'job % has its pull request already', OLD."id" USING ERRCODE = 'check_violation';
  END IF;
  IF NEW."last_event_seq" < OLD."last_event_seq" THEN
    RAISE EXCEPTION 'events of job % never go back', OLD."id" USING ERRCODE = 'check_violation';
  END IF;
  IF OLD."status" = 'active' THEN
    IF NEW."status" = 'archived' THEN
      RAISE EXCEPTION 'job % is active: end it before archiving it', OLD."id" USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
  END IF;
  IF OLD."status" IN ('completed', 'failed') AND NEW."status" = 'active' THEN
    RETURN NEW; -- a follow-up message
  END IF;
  IF OLD."status" IN ('completed', 'failed') AND NEW."status" = 'archived' THEN
    afterwards := afterwards || ARRAY['status', 'archived_at'];
  END IF;
  IF (to_jsonb(NEW) - afterwards) IS DISTINCT FROM (to_jsonb(OLD) - afterwards) THEN
    RAISE EXCEPTION 'job % has ended as %: this change is not allowed', OLD."id", OLD."status" USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;

CREATE FUNCTION "show_deployment"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "jobs" SET
    "deployment" = jsonb_build_object('statusId', NEW."id", 'status', NEW."status", 'url', NEW."url"),
    "updated_at" = clock_timestamp()
  WHERE "id" = NEW."job_id";
  RETURN NULL;
END $$;

CREATE TRIGGER "show_new_deployment" AFTER INSERT ON "deployments" FOR EACH ROW
  WHEN (NEW."job_id" IS NOT NULL) EXECUTE FUNCTION "show_deployment"();
CREATE TRIGGER "show_deployment" AFTER UPDATE ON "deployments" FOR EACH ROW
  WHEN (NEW."job_id" IS NOT NULL AND (NEW."status", NEW."url") IS DISTINCT FROM (OLD."status", OLD."url"))
  EXECUTE FUNCTION "show_deployment"();
