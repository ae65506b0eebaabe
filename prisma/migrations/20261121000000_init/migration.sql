-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "job_status" AS ENUM ('active', 'completed', 'archived', 'failed');

-- CreateEnum
CREATE TYPE "job_phase" AS ENUM ('queued', 'preparing', 'editing', 'checking', 'publishing');

-- CreateEnum
CREATE TYPE "job_outcome" AS ENUM ('changed', 'no_changes', 'needs_input', 'cancelled', 'failed');

-- CreateEnum
CREATE TYPE "pull_request_state" AS ENUM ('open', 'merged', 'closed');

-- CreateEnum
CREATE TYPE "run_kind" AS ENUM ('create', 'message');

-- CreateEnum
CREATE TYPE "deployment_status" AS ENUM ('queued', 'in_progress', 'success', 'failure');

-- CreateTable
CREATE TABLE "instance" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "secret_fingerprint" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "instance_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "projects" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "repository_url" TEXT NOT NULL,
    "base_branch" TEXT,
    "deploy_hook_url" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "projects_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "secret_hash" BYTEA NOT NULL,
    "scopes" TEXT[],
    "allowed_cidrs" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "rotated_from_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "jobs" (
    "id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "status" "job_status" NOT NULL DEFAULT 'active',
    "phase" "job_phase" DEFAULT 'queued',
    "outcome" "job_outcome",
    "failure_code" TEXT,
    "failure_message" TEXT,
    "repository_url" TEXT NOT NULL,
    "base_branch" TEXT,
    "ref" TEXT,
    "model" TEXT NOT NULL,
    "options" JSONB NOT NULL DEFAULT '{}',
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "title" TEXT,
    "summary" TEXT,
    "checks" JSONB NOT NULL DEFAULT '[]',
    "pr_link" TEXT,
    "pr_number" INTEGER,
    "pr_url" TEXT,
    "pr_branch" TEXT,
    "pr_state" "pull_request_state",
    "pr_draft" BOOLEAN,
    "base_commit" TEXT,
    "head_commit" TEXT,
    "input_tokens" INTEGER NOT NULL DEFAULT 0,
    "output_tokens" INTEGER NOT NULL DEFAULT 0,
    "cache_read_tokens" INTEGER NOT NULL DEFAULT 0,
    "cache_write_tokens" INTEGER NOT NULL DEFAULT 0,
    "cost_usd" DECIMAL(12,6),
    "turns" INTEGER NOT NULL DEFAULT 0,
    "last_event_seq" INTEGER NOT NULL DEFAULT 0,
    "retry_of" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "archived_at" TIMESTAMPTZ(3),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "jobs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "runs" (
    "id" TEXT NOT NULL,
    "job_id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "kind" "run_kind" NOT NULL,
    "prompt" TEXT NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "handovers" INTEGER NOT NULL DEFAULT 0,
    "worked_ms" INTEGER NOT NULL DEFAULT 0,
    "claimed_at" TIMESTAMPTZ(3),
    "lease_until" TIMESTAMPTZ(3),
    "lease_owner" TEXT,
    "next_run_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "enqueued_at" TIMESTAMPTZ(3),
    "cancel_requested_at" TIMESTAMPTZ(3),
    "base_branch" TEXT,
    "base_commit" TEXT,
    "frozen" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "runs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "transcript_rows" (
    "run_id" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "conversation" INTEGER NOT NULL,
    "role" TEXT NOT NULL,
    "content" JSON NOT NULL,
    "stop_reason" TEXT,
    "request_id" TEXT,
    "usage" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "transcript_rows_pkey" PRIMARY KEY ("run_id","seq")
);

-- CreateTable
CREATE TABLE "run_files" (
    "run_id" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "mode" TEXT NOT NULL,
    "content" BYTEA,

    CONSTRAINT "run_files_pkey" PRIMARY KEY ("run_id","path")
);

-- CreateTable
CREATE TABLE "job_events" (
    "job_id" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "data" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "job_events_pkey" PRIMARY KEY ("job_id","seq")
);

-- CreateTable
CREATE TABLE "idempotency_keys" (
    "project_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "request_hash" BYTEA NOT NULL,
    "response" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("project_id","key")
);

-- CreateTable
CREATE TABLE "deployments" (
    "id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "job_id" TEXT,
    "status" "deployment_status" NOT NULL DEFAULT 'queued',
    "source" TEXT NOT NULL,
    "summary" TEXT NOT NULL DEFAULT '',
    "logs" JSONB NOT NULL DEFAULT '[]',
    "commit" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "deployments_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "api_keys_project_id_idx" ON "api_keys"("project_id");

-- CreateIndex
CREATE INDEX "jobs_project_id_created_at_id_idx" ON "jobs"("project_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "jobs_retry_of_idx" ON "jobs"("retry_of");

-- CreateIndex
CREATE UNIQUE INDEX "jobs_pr_url_key" ON "jobs"("pr_url");

-- CreateIndex
CREATE INDEX "runs_quota" ON "runs"("project_id", "kind", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "runs_job_id_seq_key" ON "runs"("job_id", "seq");

-- CreateIndex
CREATE INDEX "idempotency_keys_created_at_idx" ON "idempotency_keys"("created_at");

-- CreateIndex
CREATE INDEX "deployments_project_id_created_at_idx" ON "deployments"("project_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "deployments_job_id_idx" ON "deployments"("job_id");

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_rotated_from_id_fkey" FOREIGN KEY ("rotated_from_id") REFERENCES "api_keys"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_retry_of_fkey" FOREIGN KEY ("retry_of") REFERENCES "jobs"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "runs" ADD CONSTRAINT "runs_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "transcript_rows" ADD CONSTRAINT "transcript_rows_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "run_files" ADD CONSTRAINT "run_files_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "job_events" ADD CONSTRAINT "job_events_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deployments" ADD CONSTRAINT "deployments_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deployments" ADD CONSTRAINT "deployments_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("id") ON DELETE SET NULL ON UPDATE CASCADE;


