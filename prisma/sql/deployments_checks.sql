ALTER TABLE "deployments"
  DROP CONSTRAINT IF EXISTS "deployments_ended_has_time", ADD CONSTRAINT "deployments_ended_has_time" CHECK (("ended_at" IS NOT NULL) = ("status" IN ('success', 'failure'))),
  DROP CONSTRAINT IF EXISTS "deployments_handovers_within_attempts", ADD CONSTRAINT "deployments_handovers_within_attempts" CHECK ("attempt" >= "handovers" AND "handovers" >= 0),
  DROP CONSTRAINT IF EXISTS "deployments_lease_only_while_working", ADD CONSTRAINT "deployments_lease_only_while_working" CHECK ("lease_until" IS NULL OR "status" = 'in_progress'),
  DROP CONSTRAINT IF EXISTS "deployments_logs_are_a_list", ADD CONSTRAINT "deployments_logs_are_a_list" CHECK (jsonb_typeof("logs") = 'array'),
  DROP CONSTRAINT IF EXISTS "deployments_preview_has_branch_and_url", ADD CONSTRAINT "deployments_preview_has_branch_and_url" CHECK (("preview_branch" IS NULL) = ("preview_url" IS NULL)),
  DROP CONSTRAINT IF EXISTS "deployments_started_has_time", ADD CONSTRAINT "deployments_started_has_time" CHECK ("status" NOT IN ('in_progress', 'success') OR "started_at" IS NOT NULL);
