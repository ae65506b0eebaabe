-- Credentials for the Git host. What is secret is sealed with AES-256-GCM under a key derived from the service's secret.

-- A project's own access token.
CREATE TABLE "git_credentials" (
    "project_id" TEXT NOT NULL,
    "sealed_token" BYTEA NOT NULL,
    "last_four" TEXT NOT NULL,
    "saved_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "saved_by" TEXT,
    "saved_by_id" TEXT,

    CONSTRAINT "git_credentials_pkey" PRIMARY KEY ("project_id"),
    CONSTRAINT "git_credentials_last_four_is_short" CHECK (char_length("last_four") = 4)
);

ALTER TABLE "git_credentials" ADD CONSTRAINT "git_credentials_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The GitHub App of this instance: at most one.
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

    CONSTRAINT "github_apps_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "github_apps_is_one" CHECK ("id" = 1)
);

-- Registrations of an App that have begun: good once, for the session that began them.
CREATE TABLE "github_app_states" (
    "state_hash" BYTEA NOT NULL,
    "session_id" TEXT NOT NULL,
    "organization" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "github_app_states_pkey" PRIMARY KEY ("state_hash")
);
