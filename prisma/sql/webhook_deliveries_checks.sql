ALTER TABLE "webhook_deliveries"
  DROP CONSTRAINT IF EXISTS "webhook_deliveries_ended_has_time", ADD CONSTRAINT "webhook_deliveries_ended_has_time" CHECK (("ended_at" IS NULL) = ("status" = 'pending')),
  DROP CONSTRAINT IF EXISTS "webhook_deliveries_forgiven_within_attempts", ADD CONSTRAINT "webhook_deliveries_forgiven_within_attempts" CHECK ("attempt" >= "forgiven" AND "forgiven" >= 0),
  DROP CONSTRAINT IF EXISTS "webhook_deliveries_lease_only_while_pending", ADD CONSTRAINT "webhook_deliveries_lease_only_while_pending" CHECK ("status" = 'pending' OR "lease_until" IS NULL);
