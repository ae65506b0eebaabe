-- The sources at the commits that a run reads: [{"name", "repository", "ref", "commit", …}]. Null until
-- they are pinned, and for a run without sources that an earlier version started.
-- The constraints are not checked for existing rows, which have the default, so that the tables are not
-- read while they are locked.
ALTER TABLE "runs"
  ADD COLUMN "sources" JSONB,
  ADD CONSTRAINT "runs_sources_are_a_list" CHECK ("sources" IS NULL OR jsonb_typeof("sources") = 'array') NOT VALID;

CREATE FUNCTION "guard_run_sources"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD."sources" IS NOT NULL AND NEW."sources" IS DISTINCT FROM OLD."sources" THEN
    RAISE EXCEPTION 'the sources of run % are pinned', OLD."id" USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER "guard_run_sources" BEFORE UPDATE OF "sources" ON "runs" FOR EACH ROW EXECUTE FUNCTION "guard_run_sources"();

-- What the job record shows.
ALTER TABLE "jobs"
  ADD COLUMN "sources" JSONB NOT NULL DEFAULT '[]',
  ADD COLUMN "evidence" JSONB NOT NULL DEFAULT '[]',
  ADD CONSTRAINT "jobs_sources_are_a_list" CHECK (jsonb_typeof("sources") = 'array') NOT VALID,
  ADD CONSTRAINT "jobs_evidence_is_a_list" CHECK (jsonb_typeof("evidence") = 'array') NOT VALID;

-- The commits that the completed jobs of a project read, by repository.
CREATE TABLE "source_reads" (
    "job_id" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "repository_url" TEXT NOT NULL,
    "commit" TEXT NOT NULL,
    "read_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "source_reads_pkey" PRIMARY KEY ("job_id", "source"),
    CONSTRAINT "source_reads_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "source_reads_newest" ON "source_reads" ("project_id", "repository_url", "read_at" DESC);

-- Access tokens for single sources of a project, sealed and bound to a Git host.
CREATE TABLE "source_credentials" (
    "project_id" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "sealed_token" BYTEA NOT NULL,
    "host" TEXT NOT NULL,
    "last_four" TEXT NOT NULL,
    "saved_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "saved_by" TEXT,
    "saved_by_id" TEXT,

    CONSTRAINT "source_credentials_pkey" PRIMARY KEY ("project_id", "source"),
    CONSTRAINT "source_credentials_last_four_is_short" CHECK (char_length("last_four") = 4),
    CONSTRAINT "source_credentials_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
