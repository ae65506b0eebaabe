-- How a session was started. Null for sessions from before this migration: they count as started
-- with a password, so that they end when passwords are turned off.
CREATE TYPE "sign_in_method" AS ENUM ('password', 'github', 'oidc', 'link', 'demo');
ALTER TABLE "sessions" ADD COLUMN "method" "sign_in_method";

-- Single-use links that sign a user in. A used link is deleted.
CREATE TABLE "sign_in_links" (
    "id" TEXT PRIMARY KEY,
    "user_id" TEXT NOT NULL REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    -- A keyed hash. The link itself is not stored.
    "token_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL
);
CREATE UNIQUE INDEX "sign_in_links_token_hash_key" ON "sign_in_links"("token_hash");
CREATE INDEX "sign_in_links_user_id_idx" ON "sign_in_links"("user_id");
