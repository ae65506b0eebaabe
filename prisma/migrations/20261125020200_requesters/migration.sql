-- Id of the user or API key that sent the message. Null for messages from before this migration.
ALTER TABLE "job_messages" ADD COLUMN "created_by" TEXT;

-- Login of the linked GitHub account, for the user's no-reply address. Known after the next sign-in.
ALTER TABLE "accounts"
    ADD COLUMN "login" TEXT,
    ADD CONSTRAINT "accounts_login" CHECK ("login" IS NULL OR "provider_id" = 'github');
