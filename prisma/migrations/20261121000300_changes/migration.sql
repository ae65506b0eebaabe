-- A retry is a creation with a bucket of its own: the quota of creations counts what callers create, and nothing else.
ALTER TYPE "run_kind" ADD VALUE 'retry';

-- What a job changed, kept when its branch is gone. Written together with what freezes or ends the run.
CREATE TABLE "job_changes" (
  "job_id" TEXT NOT NULL,
  "base_commit" TEXT NOT NULL,
  -- Null when the work ended before there was a commit.
  "head_commit" TEXT,
  "files" JSONB NOT NULL,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "job_changes_pkey" PRIMARY KEY ("job_id"),
  CONSTRAINT "job_changes_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "job_changes_files_is_list" CHECK (jsonb_typeof("files") = 'array')
);
