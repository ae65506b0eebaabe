-- Changing webhooks requires the scope webhooks:write, which only owners can grant. Existing keys
-- that could change webhooks get the scope if an owner, an admin or the command line created them.
ALTER TABLE "api_keys"
  DROP CONSTRAINT "api_keys_scopes_are_known",
  ADD CONSTRAINT "api_keys_scopes_are_known" CHECK (
    cardinality("scopes") > 0
    AND "scopes" <@ ARRAY['jobs:read', 'jobs:write', 'project:deploy', 'webhooks:write']::text[]
  );

UPDATE "api_keys" SET "scopes" = "scopes" || ARRAY['webhooks:write']
WHERE 'jobs:write' = ANY ("scopes")
  AND (
    ("created_by_id" IS NULL AND "created_by_name" IS NULL)
    OR EXISTS (SELECT FROM "users" WHERE "id" = "created_by_id" AND "is_operator")
    OR EXISTS (
      SELECT FROM "memberships"
      WHERE "user_id" = "created_by_id" AND "memberships"."project_id" = "api_keys"."project_id" AND "role" = 'owner'
    )
  );
