-- Tests of a project's connection to its repository, claimed by the workers: only they hold credentials and reach the Git host.
CREATE TABLE "repository_tests" (
    "id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'waiting',
    "ok" BOOLEAN,
    "steps" JSONB NOT NULL DEFAULT '[]',
    "missing" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "lease_until" TIMESTAMPTZ(3),
    "lease_owner" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "repository_tests_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "repository_tests_status_is_known" CHECK ("status" IN ('waiting', 'running', 'done')),
    CONSTRAINT "repository_tests_done_has_end" CHECK (("status" = 'done') = ("ended_at" IS NOT NULL) AND ("status" = 'done') = ("ok" IS NOT NULL)),
    CONSTRAINT "repository_tests_lease_only_while_running" CHECK (("status" = 'running') = ("lease_until" IS NOT NULL)),
    CONSTRAINT "repository_tests_steps_are_a_list" CHECK (jsonb_typeof("steps") = 'array')
);

ALTER TABLE "repository_tests" ADD CONSTRAINT "repository_tests_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- CreateIndex
CREATE INDEX "repository_tests_project_id_created_at_idx" ON "repository_tests"("project_id", "created_at" DESC);

-- One at a time per project; also what workers ask for every second.
CREATE UNIQUE INDEX "repository_tests_one_open" ON "repository_tests" ("project_id") WHERE "status" <> 'done';
