-- Projects take turns: the one that was served longest ago is next.
ALTER TABLE "projects" ADD COLUMN "last_claimed_at" TIMESTAMPTZ(3);

-- Set right before a run opens its pull request: from then on only the Git host knows whether there is one.
ALTER TABLE "runs" ADD COLUMN "opening_at" TIMESTAMPTZ(3);
ALTER TABLE "runs"
  ADD CONSTRAINT "runs_opening_needs_frozen" CHECK ("opening_at" IS NULL OR "frozen" IS NOT NULL),
  ADD CONSTRAINT "runs_cancel_waits_only_for_opening" CHECK ("cancel_requested_at" IS NULL OR "opening_at" IS NOT NULL);

-- Times a run was given back after an error: a worker that dies is no error of the other side.
ALTER TABLE "runs" ADD COLUMN "failures" INTEGER NOT NULL DEFAULT 0;

-- Queue entries are invitations to claim the run whose turn it is, so nobody needs to know which run has one.
ALTER TABLE "runs" DROP COLUMN "enqueued_at";

-- What claims and sweeps count.
CREATE INDEX "runs_active_by_project" ON "runs" ("project_id", "created_at") WHERE "active";

CREATE FUNCTION "guard_opening"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'run % has begun to open its pull request', OLD."id" USING ERRCODE = 'check_violation';
END $$;

CREATE TRIGGER "guard_opening" BEFORE UPDATE ON "runs" FOR EACH ROW
  WHEN (OLD."opening_at" IS NOT NULL AND NEW."opening_at" IS DISTINCT FROM OLD."opening_at")
  EXECUTE FUNCTION "guard_opening"();
