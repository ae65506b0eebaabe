-- Webhooks: where events go, the events themselves (the outbox), and what became of each on its way to each endpoint.

CREATE TYPE "webhook_delivery_status" AS ENUM ('pending', 'delivered', 'failed');

CREATE TABLE "webhook_endpoints" (
    "id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "events" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "sealed_secret" BYTEA NOT NULL,
    "previous_sealed_secret" BYTEA,
    "previous_until" TIMESTAMPTZ(3),
    "failing_since" TIMESTAMPTZ(3),
    "disabled_at" TIMESTAMPTZ(3),
    "disabled_reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_endpoints_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "webhook_events" (
    "id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "payload" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_events_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "webhook_deliveries" (
    "id" TEXT NOT NULL,
    "endpoint_id" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "status" "webhook_delivery_status" NOT NULL DEFAULT 'pending',
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "forgiven" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lease_until" TIMESTAMPTZ(3),
    "lease_owner" TEXT,
    "last_status" INTEGER,
    "last_error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "webhook_attempts" (
    "delivery_id" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "status" INTEGER,
    "error" TEXT,
    "ms" INTEGER NOT NULL,
    "answer" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_attempts_pkey" PRIMARY KEY ("delivery_id","attempt")
);

CREATE INDEX "webhook_endpoints_project_id_idx" ON "webhook_endpoints"("project_id");
CREATE INDEX "webhook_events_project_id_idx" ON "webhook_events"("project_id");
CREATE INDEX "webhook_events_created_at_idx" ON "webhook_events"("created_at");
CREATE UNIQUE INDEX "webhook_deliveries_endpoint_id_event_id_key" ON "webhook_deliveries"("endpoint_id", "event_id");
CREATE INDEX "webhook_deliveries_event_id_idx" ON "webhook_deliveries"("event_id");
CREATE INDEX "webhook_deliveries_endpoint_id_created_at_id_idx" ON "webhook_deliveries"("endpoint_id", "created_at" DESC, "id" DESC);

-- What every worker reads every second, endpoint by endpoint: the next that are due, and how many are in hand.
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" ("endpoint_id", "next_attempt_at") WHERE "status" = 'pending';
CREATE INDEX "webhook_deliveries_in_hand" ON "webhook_deliveries" ("endpoint_id") WHERE "lease_until" IS NOT NULL;

ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_project_id_fkey"
  FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "webhook_events" ADD CONSTRAINT "webhook_events_project_id_fkey"
  FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_endpoint_id_fkey"
  FOREIGN KEY ("endpoint_id") REFERENCES "webhook_endpoints"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_event_id_fkey"
  FOREIGN KEY ("event_id") REFERENCES "webhook_events"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery_id_fkey"
  FOREIGN KEY ("delivery_id") REFERENCES "webhook_deliveries"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "webhook_endpoints"
  ADD CONSTRAINT "webhook_endpoints_url_is_http" CHECK ("url" ~ '^https?://'),
  ADD CONSTRAINT "webhook_endpoints_disabled_has_reason" CHECK (("disabled_at" IS NULL) = ("disabled_reason" IS NULL)),
  ADD CONSTRAINT "webhook_endpoints_reason_is_known" CHECK ("disabled_reason" IN ('manual', 'gone', 'failing')),
  ADD CONSTRAINT "webhook_endpoints_previous_has_end" CHECK (("previous_sealed_secret" IS NULL) = ("previous_until" IS NULL)),
  -- Version, nonce, 24 bytes or more, tag: never a secret as it is.
  ADD CONSTRAINT "webhook_endpoints_secret_is_sealed" CHECK (
    get_byte("sealed_secret", 0) = 1 AND octet_length("sealed_secret") >= 53
    AND ("previous_sealed_secret" IS NULL OR (get_byte("previous_sealed_secret", 0) = 1 AND octet_length("previous_sealed_secret") >= 53))
  );

ALTER TABLE "webhook_deliveries"
  ADD CONSTRAINT "webhook_deliveries_ended_has_time" CHECK (("ended_at" IS NULL) = ("status" = 'pending')),
  ADD CONSTRAINT "webhook_deliveries_lease_only_while_pending" CHECK ("status" = 'pending' OR "lease_until" IS NULL),
  ADD CONSTRAINT "webhook_deliveries_forgiven_within_attempts" CHECK ("attempt" >= "forgiven" AND "forgiven" >= 0);

ALTER TABLE "webhook_attempts"
  ADD CONSTRAINT "webhook_attempts_have_one_result" CHECK (num_nonnulls("status", "error") = 1);
