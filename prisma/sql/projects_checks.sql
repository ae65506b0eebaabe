ALTER TABLE "projects"
  DROP CONSTRAINT IF EXISTS "projects_deploy_target_is_known", ADD CONSTRAINT "projects_deploy_target_is_known" CHECK (
    "deploy_target" IS NULL
    OR coalesce("deploy_target" ->> 'kind' IN ('hook', 'workflow_dispatch', 'repository_dispatch'), false)
  ),
  -- The address of a hook and the inputs of a workflow can be secrets, so they are stored sealed.
  DROP CONSTRAINT IF EXISTS "projects_deploy_target_is_sealed", ADD CONSTRAINT "projects_deploy_target_is_sealed" CHECK (
    "deploy_target" IS NULL
    OR coalesce(jsonb_typeof("deploy_target" -> 'sealed') = 'string' AND "deploy_target" - ARRAY['kind', 'sealed'] = '{}', false)
  ),
  DROP CONSTRAINT IF EXISTS "projects_monthly_budget_usd_check", ADD CONSTRAINT "projects_monthly_budget_usd_check" CHECK ("monthly_budget_usd" > 0),
  DROP CONSTRAINT IF EXISTS "projects_name_not_blank", ADD CONSTRAINT "projects_name_not_blank" CHECK (btrim("name") <> ''),
  DROP CONSTRAINT IF EXISTS "projects_repository_is_url", ADD CONSTRAINT "projects_repository_is_url" CHECK ("repository_url" ~ '^https?://[^/@[:space:]]+(/[^/[:space:]]+){2,}$'),
  DROP CONSTRAINT IF EXISTS "projects_retain_job_days_check", ADD CONSTRAINT "projects_retain_job_days_check" CHECK ("retain_job_days" BETWEEN 1 AND 36500),
  DROP CONSTRAINT IF EXISTS "projects_retain_transcript_days_check", ADD CONSTRAINT "projects_retain_transcript_days_check" CHECK ("retain_transcript_days" BETWEEN 1 AND 36500),
  DROP CONSTRAINT IF EXISTS "projects_settings_are_an_object", ADD CONSTRAINT "projects_settings_are_an_object" CHECK (jsonb_typeof("settings") = 'object'),
  DROP CONSTRAINT IF EXISTS "projects_settings_changed_has_time", ADD CONSTRAINT "projects_settings_changed_has_time" CHECK ("settings_changed_by" IS NULL OR "settings_changed_at" IS NOT NULL);
