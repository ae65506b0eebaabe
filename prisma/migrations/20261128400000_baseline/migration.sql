-- The schema of the first release. The first part is generated from schema.prisma with
-- "prisma migrate diff". Functions, triggers and checks are in prisma/sql.

-- CreateEnum
CREATE TYPE "job_status" AS ENUM ('active', 'completed', 'archived', 'failed');

-- CreateEnum
CREATE TYPE "job_phase" AS ENUM ('queued', 'preparing', 'editing', 'checking', 'publishing');

-- CreateEnum
CREATE TYPE "job_outcome" AS ENUM ('changed', 'no_changes', 'needs_input', 'cancelled', 'failed');

-- CreateEnum
CREATE TYPE "pull_request_state" AS ENUM ('open', 'merged', 'closed');

-- CreateEnum
CREATE TYPE "pull_request_checks" AS ENUM ('pending', 'passed', 'failed');

-- CreateEnum
CREATE TYPE "run_kind" AS ENUM ('create', 'message', 'retry');

-- CreateEnum
CREATE TYPE "webhook_delivery_status" AS ENUM ('pending', 'delivered', 'failed');

-- CreateEnum
CREATE TYPE "deployment_status" AS ENUM ('queued', 'in_progress', 'success', 'failure');

-- CreateEnum
CREATE TYPE "member_role" AS ENUM ('owner', 'member', 'viewer');

-- CreateEnum
CREATE TYPE "sign_in_method" AS ENUM ('password', 'github', 'oidc', 'link', 'demo');

-- CreateTable
CREATE TABLE "instance" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "secret_fingerprint" TEXT NOT NULL,
    "sealed_key_pepper" BYTEA,
    "sealed_signing_key" BYTEA,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "instance_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "projects" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "repository_url" TEXT NOT NULL,
    "base_branch" TEXT,
    "deploy_target" JSONB,
    "deploy_on_merge" BOOLEAN NOT NULL DEFAULT false,
    "delete_branch_on_close" BOOLEAN NOT NULL DEFAULT false,
    "preview_url_template" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "settings" JSONB NOT NULL DEFAULT '{}',
    "settings_changed_at" TIMESTAMPTZ(3),
    "settings_changed_by" TEXT,
    "settings_changed_by_id" TEXT,
    "last_claimed_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),
    "monthly_budget_usd" DECIMAL(12,2),
    "retain_transcript_days" INTEGER,
    "retain_job_days" INTEGER,

    CONSTRAINT "projects_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "saved_prompts" (
    "id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "prompt" TEXT NOT NULL,
    "created_by_name" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "saved_prompts_pkey" PRIMARY KEY ("id")
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
    "created_by_id" TEXT,
    "created_by_name" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "project_spend" (
    "project_id" TEXT NOT NULL,
    "month" DATE NOT NULL,
    "cost_usd" DECIMAL(14,6) NOT NULL DEFAULT 0,
    "warned_at" TIMESTAMPTZ(3),

    CONSTRAINT "project_spend_pkey" PRIMARY KEY ("project_id","month")
);

-- CreateTable
CREATE TABLE "instance_spend" (
    "month" DATE NOT NULL,
    "cost_usd" DECIMAL(14,6) NOT NULL DEFAULT 0,
    "warned_at" TIMESTAMPTZ(3),

    CONSTRAINT "instance_spend_pkey" PRIMARY KEY ("month")
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
    "sources" JSONB NOT NULL DEFAULT '[]',
    "evidence" JSONB NOT NULL DEFAULT '[]',
    "pr_link" TEXT,
    "pr_number" INTEGER,
    "pr_url" TEXT,
    "pr_branch" TEXT,
    "pr_state" "pull_request_state",
    "pr_draft" BOOLEAN,
    "pr_checks" "pull_request_checks",
    "deployment" JSONB,
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
    "created_by" TEXT,
    "created_by_name" TEXT,
    "traceparent" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "worked_ms" INTEGER DEFAULT 0,
    "working_since" TIMESTAMPTZ(3),
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
    "failures" INTEGER NOT NULL DEFAULT 0,
    "stalls" INTEGER NOT NULL DEFAULT 0,
    "traceparent" TEXT,
    "worked_ms" INTEGER NOT NULL DEFAULT 0,
    "claimed_at" TIMESTAMPTZ(3),
    "lease_until" TIMESTAMPTZ(3),
    "lease_owner" TEXT,
    "next_run_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "cancel_requested_at" TIMESTAMPTZ(3),
    "base_branch" TEXT,
    "base_commit" TEXT,
    "frozen" JSONB,
    "opening_at" TIMESTAMPTZ(3),
    "usage_before" JSONB NOT NULL DEFAULT '{}',
    "restarts" INTEGER NOT NULL DEFAULT 0,
    "settings" JSONB,
    "policy_files" JSONB,
    "sources" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "transcript_removed_at" TIMESTAMPTZ(3),
    "files_removed_at" TIMESTAMPTZ(3),
    "counted_cost_usd" DECIMAL(14,6) NOT NULL DEFAULT 0,

    CONSTRAINT "runs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "pull_request_watches" (
    "job_id" TEXT NOT NULL,
    "looks" INTEGER NOT NULL DEFAULT 0,
    "next_look_at" TIMESTAMPTZ(3),
    "looked_at" TIMESTAMPTZ(3),
    "lease_until" TIMESTAMPTZ(3),
    "rests_until" TIMESTAMPTZ(3),
    "closed_at" TIMESTAMPTZ(3),
    "branch_deleted_at" TIMESTAMPTZ(3),
    "remarks_read_to" TIMESTAMPTZ(3),
    "is_person_pushed" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "pull_request_watches_pkey" PRIMARY KEY ("job_id")
);

-- CreateTable
CREATE TABLE "pull_request_remarks" (
    "job_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "thread" TEXT,
    "author" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "path" TEXT,
    "line" INTEGER,
    "ignored" TEXT,
    "message_id" TEXT,
    "answered_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "pull_request_remarks_pkey" PRIMARY KEY ("job_id","id")
);

-- CreateTable
CREATE TABLE "job_messages" (
    "id" TEXT NOT NULL,
    "job_id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "prompt" TEXT NOT NULL,
    "created_by" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "run_id" TEXT,
    "taken_at" TIMESTAMPTZ(3),
    "dropped_at" TIMESTAMPTZ(3),

    CONSTRAINT "job_messages_pkey" PRIMARY KEY ("id")
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
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "job_events_pkey" PRIMARY KEY ("job_id","seq")
);

-- CreateTable
CREATE TABLE "job_changes" (
    "job_id" TEXT NOT NULL,
    "base_commit" TEXT NOT NULL,
    "head_commit" TEXT,
    "files" JSONB NOT NULL,
    "texts" JSONB NOT NULL DEFAULT '[]',
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "job_changes_pkey" PRIMARY KEY ("job_id")
);

-- CreateTable
CREATE TABLE "source_reads" (
    "job_id" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "repository_url" TEXT NOT NULL,
    "ref" TEXT,
    "commit" TEXT NOT NULL,
    "read_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "source_reads_pkey" PRIMARY KEY ("job_id","source")
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
    "seq" BIGSERIAL NOT NULL,
    "project_id" TEXT NOT NULL,
    "job_id" TEXT,
    "status" "deployment_status" NOT NULL DEFAULT 'queued',
    "source" TEXT NOT NULL,
    "summary" TEXT NOT NULL DEFAULT '',
    "logs" JSONB NOT NULL DEFAULT '[]',
    "commit" JSONB,
    "url" TEXT,
    "preview_branch" TEXT,
    "preview_url" TEXT,
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "handovers" INTEGER NOT NULL DEFAULT 0,
    "lease_until" TIMESTAMPTZ(3),
    "lease_owner" TEXT,
    "progress" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "deployments_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_endpoints" (
    "id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "events" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "sealed_secret" BYTEA NOT NULL,
    "previous_sealed_secret" BYTEA,
    "previous_until" TIMESTAMPTZ(3),
    "failing_since" TIMESTAMPTZ(3),
    "disabled_at" TIMESTAMPTZ(3),
    "disabled_reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_endpoints_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_events" (
    "id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "payload" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_deliveries" (
    "id" TEXT NOT NULL,
    "endpoint_id" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "status" "webhook_delivery_status" NOT NULL DEFAULT 'pending',
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "forgiven" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lease_until" TIMESTAMPTZ(3),
    "lease_owner" TEXT,
    "last_status" INTEGER,
    "last_error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_attempts" (
    "delivery_id" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "status" INTEGER,
    "error" TEXT,
    "ms" INTEGER NOT NULL,
    "answer" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_attempts_pkey" PRIMARY KEY ("delivery_id","attempt")
);

-- CreateTable
CREATE TABLE "workers" (
    "id" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "pid" INTEGER NOT NULL,
    "version" TEXT NOT NULL,
    "slots" INTEGER NOT NULL,
    "busy" INTEGER NOT NULL,
    "queue" TEXT NOT NULL,
    "model_kind" TEXT NOT NULL,
    "model_base_url" TEXT NOT NULL,
    "models" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "workers_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "users" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "email_verified" BOOLEAN NOT NULL DEFAULT false,
    "image" TEXT,
    "is_operator" BOOLEAN NOT NULL DEFAULT false,
    "admin_group" TEXT,
    "is_direct_admin" BOOLEAN NOT NULL DEFAULT false,
    "is_demo" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sessions" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ip_address" TEXT,
    "user_agent" TEXT,
    "method" "sign_in_method",
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sign_in_links" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sign_in_links_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "accounts" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "provider_id" TEXT NOT NULL,
    "login" TEXT,
    "access_token" TEXT,
    "refresh_token" TEXT,
    "id_token" TEXT,
    "access_token_expires_at" TIMESTAMPTZ(3),
    "refresh_token_expires_at" TIMESTAMPTZ(3),
    "scope" TEXT,
    "password" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "accounts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "verifications" (
    "id" TEXT NOT NULL,
    "identifier" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "verifications_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "memberships" (
    "project_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "role" "member_role" NOT NULL,
    "direct_role" "member_role",
    "group_role" "member_role",
    "group_name" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "memberships_pkey" PRIMARY KEY ("project_id","user_id")
);

-- CreateTable
CREATE TABLE "invitations" (
    "id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "role" "member_role" NOT NULL,
    "email" TEXT,
    "token_hash" BYTEA NOT NULL,
    "created_by_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    "verifies" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "invitations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sign_in_tries" (
    "account" BYTEA NOT NULL,
    "origin" BYTEA NOT NULL,
    "tries" INTEGER NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sign_in_tries_pkey" PRIMARY KEY ("account","origin")
);

-- CreateTable
CREATE TABLE "git_credentials" (
    "project_id" TEXT NOT NULL,
    "sealed_token" BYTEA NOT NULL,
    "host" TEXT NOT NULL,
    "last_four" TEXT NOT NULL,
    "saved_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "saved_by" TEXT,
    "saved_by_id" TEXT,

    CONSTRAINT "git_credentials_pkey" PRIMARY KEY ("project_id")
);

-- CreateTable
CREATE TABLE "source_credentials" (
    "project_id" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "sealed_token" BYTEA NOT NULL,
    "host" TEXT NOT NULL,
    "last_four" TEXT NOT NULL,
    "saved_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "saved_by" TEXT,
    "saved_by_id" TEXT,

    CONSTRAINT "source_credentials_pkey" PRIMARY KEY ("project_id","source")
);

-- CreateTable
CREATE TABLE "github_apps" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "app_id" BIGINT NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "html_url" TEXT NOT NULL,
    "client_id" TEXT,
    "sealed_private_key" BYTEA NOT NULL,
    "sealed_webhook_secret" BYTEA,
    "sealed_client_secret" BYTEA,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_by" TEXT,
    "created_by_id" TEXT,

    CONSTRAINT "github_apps_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "github_app_states" (
    "state_hash" BYTEA NOT NULL,
    "user_id" TEXT NOT NULL,
    "organization" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "github_app_states_pkey" PRIMARY KEY ("state_hash")
);

-- CreateTable
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

    CONSTRAINT "repository_tests_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_events" (
    "id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
    "action" TEXT NOT NULL,
    "actor_type" TEXT NOT NULL,
    "actor_id" TEXT,
    "actor_name" TEXT NOT NULL,
    "ip_address" TEXT,
    "request_id" TEXT,
    "project_id" TEXT,
    "target_type" TEXT,
    "target_id" TEXT,
    "target_name" TEXT,
    "before" JSONB,
    "after" JSONB,

    CONSTRAINT "audit_events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sql_files" (
    "name" TEXT NOT NULL,
    "checksum" TEXT NOT NULL,
    "applied_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sql_files_pkey" PRIMARY KEY ("name","checksum")
);

-- CreateIndex
CREATE INDEX "api_keys_project_id_idx" ON "api_keys"("project_id");

-- CreateIndex
CREATE INDEX "api_keys_created_by_id_idx" ON "api_keys"("created_by_id");

-- CreateIndex
CREATE INDEX "api_keys_rotated_from_id_idx" ON "api_keys"("rotated_from_id");

-- CreateIndex
CREATE INDEX "jobs_list" ON "jobs"("project_id", "created_at" DESC, "id" DESC, "status", "outcome", "failure_code", "model", "created_by", "pr_state");

-- CreateIndex
CREATE INDEX "jobs_by_status" ON "jobs"("project_id", "status", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "jobs_retry_of_idx" ON "jobs"("retry_of");

-- CreateIndex
CREATE UNIQUE INDEX "jobs_pr_url_key" ON "jobs"("pr_url");

-- CreateIndex
CREATE INDEX "runs_quota" ON "runs"("project_id", "kind", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "runs_job_id_seq_key" ON "runs"("job_id", "seq");

-- CreateIndex
CREATE INDEX "job_messages_job_id_created_at_idx" ON "job_messages"("job_id", "created_at");

-- CreateIndex
CREATE INDEX "job_messages_project_id_created_at_idx" ON "job_messages"("project_id", "created_at");

-- CreateIndex
CREATE INDEX "job_messages_run_id_idx" ON "job_messages"("run_id");

-- CreateIndex
CREATE INDEX "source_reads_newest" ON "source_reads"("project_id", "repository_url", "read_at" DESC);

-- CreateIndex
CREATE INDEX "idempotency_keys_created_at_idx" ON "idempotency_keys"("created_at");

-- CreateIndex
CREATE INDEX "deployments_project_id_created_at_idx" ON "deployments"("project_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "deployments_project_id_seq_idx" ON "deployments"("project_id", "seq" DESC);

-- CreateIndex
CREATE INDEX "deployments_job_id_idx" ON "deployments"("job_id");

-- CreateIndex
CREATE INDEX "webhook_endpoints_project_id_idx" ON "webhook_endpoints"("project_id");

-- CreateIndex
CREATE INDEX "webhook_events_project_id_idx" ON "webhook_events"("project_id");

-- CreateIndex
CREATE INDEX "webhook_events_created_at_idx" ON "webhook_events"("created_at");

-- CreateIndex
CREATE INDEX "webhook_deliveries_event_id_idx" ON "webhook_deliveries"("event_id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_endpoint_id_created_at_id_idx" ON "webhook_deliveries"("endpoint_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "webhook_deliveries_by_status" ON "webhook_deliveries"("endpoint_id", "status", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "webhook_deliveries_endpoint_id_event_id_key" ON "webhook_deliveries"("endpoint_id", "event_id");

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE UNIQUE INDEX "sessions_token_key" ON "sessions"("token");

-- CreateIndex
CREATE INDEX "sessions_user_id_idx" ON "sessions"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "sign_in_links_token_hash_key" ON "sign_in_links"("token_hash");

-- CreateIndex
CREATE INDEX "sign_in_links_user_id_idx" ON "sign_in_links"("user_id");

-- CreateIndex
CREATE INDEX "sign_in_links_expires_at_idx" ON "sign_in_links"("expires_at");

-- CreateIndex
CREATE INDEX "accounts_user_id_idx" ON "accounts"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "accounts_provider_id_account_id_key" ON "accounts"("provider_id", "account_id");

-- CreateIndex
CREATE UNIQUE INDEX "accounts_user_id_provider_id_key" ON "accounts"("user_id", "provider_id");

-- CreateIndex
CREATE INDEX "verifications_identifier_idx" ON "verifications"("identifier");

-- CreateIndex
CREATE INDEX "memberships_user_id_idx" ON "memberships"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "invitations_token_hash_key" ON "invitations"("token_hash");

-- CreateIndex
CREATE INDEX "invitations_project_id_idx" ON "invitations"("project_id");

-- CreateIndex
CREATE INDEX "invitations_created_by_id_idx" ON "invitations"("created_by_id");

-- CreateIndex
CREATE INDEX "sign_in_tries_since_idx" ON "sign_in_tries"("since");

-- CreateIndex
CREATE INDEX "github_app_states_user_id_idx" ON "github_app_states"("user_id");

-- CreateIndex
CREATE INDEX "repository_tests_project_id_created_at_idx" ON "repository_tests"("project_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "audit_events_page" ON "audit_events"("created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "audit_events_project_page" ON "audit_events"("project_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "audit_events_action_page" ON "audit_events"("action", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "audit_events_actor_page" ON "audit_events"("actor_id", "created_at" DESC, "id" DESC);

-- AddForeignKey
ALTER TABLE "saved_prompts" ADD CONSTRAINT "saved_prompts_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_rotated_from_id_fkey" FOREIGN KEY ("rotated_from_id") REFERENCES "api_keys"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "project_spend" ADD CONSTRAINT "project_spend_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_retry_of_fkey" FOREIGN KEY ("retry_of") REFERENCES "jobs"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "runs" ADD CONSTRAINT "runs_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pull_request_watches" ADD CONSTRAINT "pull_request_watches_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pull_request_remarks" ADD CONSTRAINT "pull_request_remarks_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "job_messages" ADD CONSTRAINT "job_messages_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "job_messages" ADD CONSTRAINT "job_messages_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "transcript_rows" ADD CONSTRAINT "transcript_rows_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "run_files" ADD CONSTRAINT "run_files_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "job_events" ADD CONSTRAINT "job_events_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "job_changes" ADD CONSTRAINT "job_changes_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "source_reads" ADD CONSTRAINT "source_reads_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deployments" ADD CONSTRAINT "deployments_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deployments" ADD CONSTRAINT "deployments_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_events" ADD CONSTRAINT "webhook_events_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_endpoint_id_fkey" FOREIGN KEY ("endpoint_id") REFERENCES "webhook_endpoints"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_event_id_fkey" FOREIGN KEY ("event_id") REFERENCES "webhook_events"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "webhook_deliveries"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sign_in_links" ADD CONSTRAINT "sign_in_links_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "git_credentials" ADD CONSTRAINT "git_credentials_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "source_credentials" ADD CONSTRAINT "source_credentials_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "github_app_states" ADD CONSTRAINT "github_app_states_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "repository_tests" ADD CONSTRAINT "repository_tests_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Indexes that schema.prisma cannot describe.
-- Retention.
CREATE INDEX "deployments_ended" ON "deployments" ("ended_at") WHERE "ended_at" IS NOT NULL;
-- One deployment per merge.
CREATE UNIQUE INDEX "deployments_once_per_merge" ON "deployments" ("job_id") WHERE "source" = 'merge';
-- One deployment at a time per project.
CREATE UNIQUE INDEX "deployments_one_in_progress" ON "deployments" ("project_id") WHERE "status" = 'in_progress';
-- Workers poll these deployments.
CREATE INDEX "deployments_open" ON "deployments" ("project_id", "seq") WHERE "status" IN ('queued', 'in_progress');
-- Counts under the quota lock and in project lists.
CREATE INDEX "jobs_active" ON "jobs" ("project_id") WHERE "status" = 'active';
-- The jobs that an event from the Git host refers to.
CREATE INDEX "jobs_by_branch" ON "jobs" ("pr_branch") WHERE "pr_number" IS NOT NULL;
CREATE INDEX "jobs_by_commit" ON "jobs" ("head_commit") WHERE "pr_number" IS NOT NULL;
-- The operations page reads the jobs of the last day.
CREATE INDEX "jobs_by_finish" ON "jobs" ("finished_at") WHERE "finished_at" IS NOT NULL;
CREATE INDEX "jobs_by_outcome" ON "jobs" ("project_id", "outcome", "created_at" DESC, "id" DESC)
  WHERE "outcome" IS NOT NULL;
-- The jobs that a webhook of the Git host refers to.
CREATE INDEX "jobs_by_repository" ON "jobs" (lower("repository_url"), "pr_number") WHERE "pr_number" IS NOT NULL;
CREATE INDEX "jobs_by_requested_branch" ON "jobs" ("project_id", ("options" ->> 'branch'))
  WHERE "options" ->> 'branch' IS NOT NULL;
CREATE INDEX "jobs_needing_input" ON "jobs" ("project_id")
  WHERE "status" = 'completed' AND "outcome" = 'needs_input';
CREATE INDEX "jobs_of_project_by_finish" ON "jobs" ("project_id", "finished_at") WHERE "finished_at" IS NOT NULL;
CREATE INDEX "jobs_open_pull_requests" ON "jobs" ("project_id") WHERE "pr_state" = 'open';
CREATE INDEX "projects_deleted" ON "projects" ("deleted_at") WHERE "deleted_at" IS NOT NULL;
CREATE INDEX "projects_with_retention" ON "projects" ("id")
  WHERE "retain_transcript_days" IS NOT NULL OR "retain_job_days" IS NOT NULL;
-- Workers poll these pull requests.
CREATE INDEX "pull_request_watches_due" ON "pull_request_watches" ("next_look_at") WHERE "next_look_at" IS NOT NULL;
-- One open test per project. Workers poll it.
CREATE UNIQUE INDEX "repository_tests_one_open" ON "repository_tests" ("project_id") WHERE "status" <> 'done';
-- Claims and sweeps count the active runs of a project.
CREATE INDEX "runs_active_by_project" ON "runs" ("project_id", "created_at") WHERE "active";
-- The sweeper polls the runs that are due.
CREATE INDEX "runs_due" ON "runs" ("next_run_at") WHERE "active";
-- A job has one active run.
CREATE UNIQUE INDEX "runs_one_active_per_job" ON "runs" ("job_id") WHERE "active";
CREATE INDEX "runs_with_files" ON "runs" ("ended_at") WHERE "ended_at" IS NOT NULL AND "files_removed_at" IS NULL;
-- Runs whose transcripts can expire, and runs whose files can be removed.
CREATE INDEX "runs_with_transcript" ON "runs" ("ended_at")
  WHERE "ended_at" IS NOT NULL AND "transcript_removed_at" IS NULL;
-- The same for a project with its own retention, oldest first.
CREATE INDEX "runs_with_transcript_of_project" ON "runs" ("project_id", "ended_at")
  WHERE "ended_at" IS NOT NULL AND "transcript_removed_at" IS NULL;
-- Names are unique in a project, ignoring case.
CREATE UNIQUE INDEX "saved_prompts_by_name" ON "saved_prompts" ("project_id", lower("name"));
CREATE UNIQUE INDEX "users_one_demo" ON "users"("is_demo") WHERE "is_demo";
-- Workers poll the deliveries of each endpoint that are due, and count those with a lease.
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" ("endpoint_id", "next_attempt_at") WHERE "status" = 'pending';
CREATE INDEX "webhook_deliveries_in_hand" ON "webhook_deliveries" ("endpoint_id") WHERE "lease_until" IS NOT NULL;

-- Searches for a part of a text in the jobs of a project. Without the extensions, for example because
-- the role may not create them, searches read the jobs one after the other.
DO $$ BEGIN
  CREATE EXTENSION IF NOT EXISTS "pg_trgm";
  CREATE EXTENSION IF NOT EXISTS "btree_gin";
  CREATE INDEX "jobs_by_text" ON "jobs" USING gin ("project_id", "title" gin_trgm_ops, "summary" gin_trgm_ops)
    WHERE "title" IS NOT NULL OR "summary" IS NOT NULL;
  CREATE INDEX "runs_by_text" ON "runs" USING gin ("project_id", "prompt" gin_trgm_ops) WHERE NOT "active";
EXCEPTION WHEN insufficient_privilege OR feature_not_supported OR undefined_file THEN
  RAISE NOTICE 'no search index: %', SQLERRM;
END $$;
