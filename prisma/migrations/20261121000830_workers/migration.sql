-- Workers that say they are alive. Nothing depends on these rows but what people are shown: claims have their own leases.

CREATE TABLE "workers" (
    "id" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "pid" INTEGER NOT NULL,
    "version" TEXT NOT NULL,
    "slots" INTEGER NOT NULL,
    "busy" INTEGER NOT NULL,
    "queue" TEXT NOT NULL,
    "model_kind" TEXT NOT NULL,
    "model_base_url" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "workers_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "workers_slots" CHECK ("slots" > 0 AND "busy" >= 0),
    CONSTRAINT "workers_queue" CHECK ("queue" IN ('redis', 'postgres')),
    CONSTRAINT "workers_model_kind" CHECK ("model_kind" IN ('anthropic', 'rehearsal', 'other')),
    -- A password in the address must never get as far as here.
    CONSTRAINT "workers_model_base_url" CHECK ("model_base_url" !~ '[@?#]')
);
