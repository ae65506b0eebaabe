ALTER TABLE "saved_prompts"
  DROP CONSTRAINT IF EXISTS "saved_prompts_name_is_short", ADD CONSTRAINT "saved_prompts_name_is_short" CHECK (char_length("name") BETWEEN 1 AND 100);
