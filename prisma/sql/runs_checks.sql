ALTER TABLE "runs"
  DROP CONSTRAINT IF EXISTS "runs_cancel_waits_only_for_opening", ADD CONSTRAINT "runs_cancel_waits_only_for_opening" CHECK ("cancel_requested_at" IS NULL OR "opening_at" IS NOT NULL),
  DROP CONSTRAINT IF EXISTS "runs_ended_has_time", ADD CONSTRAINT "runs_ended_has_time" CHECK (("ended_at" IS NULL) = "active"),
  DROP CONSTRAINT IF EXISTS "runs_handovers_within_attempts", ADD CONSTRAINT "runs_handovers_within_attempts" CHECK ("attempt" >= "handovers" AND "handovers" >= 0),
  DROP CONSTRAINT IF EXISTS "runs_lease_only_while_active", ADD CONSTRAINT "runs_lease_only_while_active" CHECK ("active" OR "lease_until" IS NULL),
  DROP CONSTRAINT IF EXISTS "runs_opening_needs_frozen", ADD CONSTRAINT "runs_opening_needs_frozen" CHECK ("opening_at" IS NULL OR "frozen" IS NOT NULL),
  DROP CONSTRAINT IF EXISTS "runs_policy_files_are_a_list", ADD CONSTRAINT "runs_policy_files_are_a_list" CHECK ("policy_files" IS NULL OR jsonb_typeof("policy_files") = 'array'),
  DROP CONSTRAINT IF EXISTS "runs_settings_are_an_object", ADD CONSTRAINT "runs_settings_are_an_object" CHECK ("settings" IS NULL OR jsonb_typeof("settings") = 'object'),
  DROP CONSTRAINT IF EXISTS "runs_sources_are_a_list", ADD CONSTRAINT "runs_sources_are_a_list" CHECK ("sources" IS NULL OR jsonb_typeof("sources") = 'array');
