-- The models that a worker is configured for. Empty for a worker of an earlier version.
ALTER TABLE "workers" ADD COLUMN "models" TEXT[] NOT NULL DEFAULT '{}';
