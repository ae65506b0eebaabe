ALTER TABLE "webhook_endpoints"
  DROP CONSTRAINT IF EXISTS "webhook_endpoints_disabled_has_reason", ADD CONSTRAINT "webhook_endpoints_disabled_has_reason" CHECK (("disabled_at" IS NULL) = ("disabled_reason" IS NULL)),
  DROP CONSTRAINT IF EXISTS "webhook_endpoints_previous_has_end", ADD CONSTRAINT "webhook_endpoints_previous_has_end" CHECK (("previous_sealed_secret" IS NULL) = ("previous_until" IS NULL)),
  DROP CONSTRAINT IF EXISTS "webhook_endpoints_reason_is_known", ADD CONSTRAINT "webhook_endpoints_reason_is_known" CHECK ("disabled_reason" IN ('manual', 'gone', 'failing')),
  -- Version, nonce, 24 bytes or more, tag: never a secret as it is.
  DROP CONSTRAINT IF EXISTS "webhook_endpoints_secret_is_sealed", ADD CONSTRAINT "webhook_endpoints_secret_is_sealed" CHECK (
    get_byte("sealed_secret", 0) = 1 AND octet_length("sealed_secret") >= 53
    AND ("previous_sealed_secret" IS NULL OR (get_byte("previous_sealed_secret", 0) = 1 AND octet_length("previous_sealed_secret") >= 53))
  ),
  DROP CONSTRAINT IF EXISTS "webhook_endpoints_url_is_http", ADD CONSTRAINT "webhook_endpoints_url_is_http" CHECK ("url" ~ '^https?://');
