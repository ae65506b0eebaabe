ALTER TABLE "users"
  DROP CONSTRAINT IF EXISTS "users_admin_group", ADD CONSTRAINT "users_admin_group" CHECK ("admin_group" IS NULL OR "is_operator"),
  DROP CONSTRAINT IF EXISTS "users_direct_admin", ADD CONSTRAINT "users_direct_admin" CHECK ("admin_group" IS NOT NULL OR NOT "is_direct_admin"),
  -- Two spellings of one address are one person.
  DROP CONSTRAINT IF EXISTS "users_email_is_lower", ADD CONSTRAINT "users_email_is_lower" CHECK ("email" = lower("email"));
