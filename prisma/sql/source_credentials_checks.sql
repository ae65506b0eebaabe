ALTER TABLE "source_credentials"
  DROP CONSTRAINT IF EXISTS "source_credentials_last_four_is_short", ADD CONSTRAINT "source_credentials_last_four_is_short" CHECK (char_length("last_four") = 4);
