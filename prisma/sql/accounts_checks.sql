ALTER TABLE "accounts"
  DROP CONSTRAINT IF EXISTS "accounts_login", ADD CONSTRAINT "accounts_login" CHECK ("login" IS NULL OR "provider_id" = 'github'),
  DROP CONSTRAINT IF EXISTS "accounts_password", ADD CONSTRAINT "accounts_password" CHECK (("password" IS NULL) = ("provider_id" <> 'credential')),
  -- Nothing is done with them, so they are not kept.
  DROP CONSTRAINT IF EXISTS "accounts_without_tokens", ADD CONSTRAINT "accounts_without_tokens" CHECK ("access_token" IS NULL AND "refresh_token" IS NULL AND "id_token" IS NULL);
