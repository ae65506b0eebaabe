ALTER TABLE "jobs"
  DROP CONSTRAINT IF EXISTS "jobs_active_has_phase", ADD CONSTRAINT "jobs_active_has_phase" CHECK (("phase" IS NOT NULL) = ("status" = 'active')),
  DROP CONSTRAINT IF EXISTS "jobs_archived_has_time", ADD CONSTRAINT "jobs_archived_has_time" CHECK (("archived_at" IS NOT NULL) = ("status" = 'archived')),
  DROP CONSTRAINT IF EXISTS "jobs_changed_has_link", ADD CONSTRAINT "jobs_changed_has_link" CHECK ("status" <> 'completed' OR "outcome" <> 'changed' OR "pr_link" IS NOT NULL),
  DROP CONSTRAINT IF EXISTS "jobs_checks_need_a_pull_request", ADD CONSTRAINT "jobs_checks_need_a_pull_request" CHECK ("pr_checks" IS NULL OR "pr_url" IS NOT NULL),
  DROP CONSTRAINT IF EXISTS "jobs_counters_not_negative", ADD CONSTRAINT "jobs_counters_not_negative" CHECK (
    least("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "turns", "last_event_seq") >= 0
  ),
  DROP CONSTRAINT IF EXISTS "jobs_ended_has_outcome", ADD CONSTRAINT "jobs_ended_has_outcome" CHECK (("outcome" IS NULL) = ("status" = 'active')),
  DROP CONSTRAINT IF EXISTS "jobs_ended_has_time", ADD CONSTRAINT "jobs_ended_has_time" CHECK (("finished_at" IS NULL) = ("status" = 'active')),
  DROP CONSTRAINT IF EXISTS "jobs_evidence_is_a_list", ADD CONSTRAINT "jobs_evidence_is_a_list" CHECK (jsonb_typeof("evidence") = 'array'),
  DROP CONSTRAINT IF EXISTS "jobs_failure_has_code", ADD CONSTRAINT "jobs_failure_has_code" CHECK (
    (coalesce("outcome" IN ('cancelled', 'failed'), false)) = ("failure_code" IS NOT NULL)
    AND ("failure_code" IS NULL) = ("failure_message" IS NULL)
  ),
  DROP CONSTRAINT IF EXISTS "jobs_link_is_its_pull_request", ADD CONSTRAINT "jobs_link_is_its_pull_request" CHECK ("pr_link" IS NULL OR "pr_link" IS NOT DISTINCT FROM "pr_url"),
  DROP CONSTRAINT IF EXISTS "jobs_link_needs_a_change", ADD CONSTRAINT "jobs_link_needs_a_change" CHECK ("pr_link" IS NULL OR "head_commit" IS NOT NULL),
  DROP CONSTRAINT IF EXISTS "jobs_link_null_while_active", ADD CONSTRAINT "jobs_link_null_while_active" CHECK ("status" <> 'active' OR "pr_link" IS NULL),
  DROP CONSTRAINT IF EXISTS "jobs_outcome_fits_status", ADD CONSTRAINT "jobs_outcome_fits_status" CHECK (
    CASE "status"
      WHEN 'completed' THEN "outcome" IN ('changed', 'no_changes', 'needs_input')
      WHEN 'failed' THEN "outcome" IN ('cancelled', 'failed')
      ELSE true
    END
  ),
  DROP CONSTRAINT IF EXISTS "jobs_pull_request_is_whole", ADD CONSTRAINT "jobs_pull_request_is_whole" CHECK (num_nonnulls("pr_number", "pr_url", "pr_branch", "pr_state", "pr_draft") IN (0, 5)),
  DROP CONSTRAINT IF EXISTS "jobs_sources_are_a_list", ADD CONSTRAINT "jobs_sources_are_a_list" CHECK (jsonb_typeof("sources") = 'array');
