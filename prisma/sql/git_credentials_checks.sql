ALTER TABLE "git_credentials"
  DROP CONSTRAINT IF EXISTS "git_credentials_last_four_is_short", ADD CONSTRAINT "git_credentials_last_four_is_short" CHECK (char_length("last_four") = 4);
