ALTER TABLE "api_keys"
  DROP CONSTRAINT IF EXISTS "api_keys_hash_is_sha256", ADD CONSTRAINT "api_keys_hash_is_sha256" CHECK (octet_length("secret_hash") = 32),
  DROP CONSTRAINT IF EXISTS "api_keys_id_is_base62", ADD CONSTRAINT "api_keys_id_is_base62" CHECK ("id" ~ '^[0-9A-Za-z]{12}$'),
  DROP CONSTRAINT IF EXISTS "api_keys_scopes_are_known", ADD CONSTRAINT "api_keys_scopes_are_known" CHECK (
    cardinality("scopes") > 0
    AND "scopes" <@ ARRAY['jobs:read', 'jobs:write', 'project:deploy', 'webhooks:write']::text[]
  );
