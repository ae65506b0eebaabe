ALTER TABLE "instance_spend"
  DROP CONSTRAINT IF EXISTS "instance_spend_cost_usd_check", ADD CONSTRAINT "instance_spend_cost_usd_check" CHECK ("cost_usd" >= 0),
  DROP CONSTRAINT IF EXISTS "instance_spend_month_check", ADD CONSTRAINT "instance_spend_month_check" CHECK ("month" = date_trunc('month', "month"::timestamp)::date);
