ALTER TABLE "workers"
  -- A password in the address must never get as far as here.
  DROP CONSTRAINT IF EXISTS "workers_model_base_url", ADD CONSTRAINT "workers_model_base_url" CHECK ("model_base_url" !~ '[@?#]'),
  DROP CONSTRAINT IF EXISTS "workers_model_kind", ADD CONSTRAINT "workers_model_kind" CHECK ("model_kind" IN ('anthropic', 'rehearsal', 'other')),
  DROP CONSTRAINT IF EXISTS "workers_queue", ADD CONSTRAINT "workers_queue" CHECK ("queue" IN ('redis', 'postgres')),
  DROP CONSTRAINT IF EXISTS "workers_slots", ADD CONSTRAINT "workers_slots" CHECK ("slots" > 0 AND "busy" >= 0);
