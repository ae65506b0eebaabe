ALTER TABLE "invitations"
  DROP CONSTRAINT IF EXISTS "invitations_email_is_lower", ADD CONSTRAINT "invitations_email_is_lower" CHECK ("email" = lower("email"));
