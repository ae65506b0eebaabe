-- Time that workers spent on a job, in ms, and the start of the current claim. Null for jobs that
-- have not run since this migration.
ALTER TABLE "jobs" ADD COLUMN "worked_ms" INTEGER, ADD COLUMN "working_since" TIMESTAMPTZ(3);
ALTER TABLE "jobs" ALTER COLUMN "worked_ms" SET DEFAULT 0;
