-- The monthly budget of a project. Months are calendar months in UTC.
ALTER TABLE "projects" ADD COLUMN "monthly_budget_usd" DECIMAL(12,2) CHECK ("monthly_budget_usd" > 0);

-- The part of a run's cost that is included in the spend of a month, so that no turn counts twice.
ALTER TABLE "runs" ADD COLUMN "counted_cost_usd" DECIMAL(14,6) NOT NULL DEFAULT 0;

-- The spend of each project and of the instance, updated in the transaction that stores a turn.
CREATE TABLE "project_spend" (
  "project_id" TEXT NOT NULL REFERENCES "projects" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "month" DATE NOT NULL CHECK ("month" = date_trunc('month', "month"::timestamp)::date),
  "cost_usd" DECIMAL(14,6) NOT NULL DEFAULT 0 CHECK ("cost_usd" >= 0),
  "warned_at" TIMESTAMPTZ(3),
  PRIMARY KEY ("project_id", "month")
);

-- Kept separately, because a project that is deleted still counts.
CREATE TABLE "instance_spend" (
  "month" DATE NOT NULL PRIMARY KEY CHECK ("month" = date_trunc('month', "month"::timestamp)::date),
  "cost_usd" DECIMAL(14,6) NOT NULL DEFAULT 0 CHECK ("cost_usd" >= 0),
  "warned_at" TIMESTAMPTZ(3)
);
