ALTER TABLE "webhook_attempts"
  DROP CONSTRAINT IF EXISTS "webhook_attempts_have_one_result", ADD CONSTRAINT "webhook_attempts_have_one_result" CHECK (num_nonnulls("status", "error") = 1);
