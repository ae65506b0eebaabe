ALTER TABLE "repository_tests"
  DROP CONSTRAINT IF EXISTS "repository_tests_done_has_end", ADD CONSTRAINT "repository_tests_done_has_end" CHECK (("status" = 'done') = ("ended_at" IS NOT NULL) AND ("status" = 'done') = ("ok" IS NOT NULL)),
  DROP CONSTRAINT IF EXISTS "repository_tests_lease_only_while_running", ADD CONSTRAINT "repository_tests_lease_only_while_running" CHECK (("status" = 'running') = ("lease_until" IS NOT NULL)),
  DROP CONSTRAINT IF EXISTS "repository_tests_status_is_known", ADD CONSTRAINT "repository_tests_status_is_known" CHECK ("status" IN ('waiting', 'running', 'done')),
  DROP CONSTRAINT IF EXISTS "repository_tests_steps_are_a_list", ADD CONSTRAINT "repository_tests_steps_are_a_list" CHECK (jsonb_typeof("steps") = 'array');
