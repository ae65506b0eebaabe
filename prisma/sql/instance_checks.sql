ALTER TABLE "instance"
  DROP CONSTRAINT IF EXISTS "instance_is_one_row", ADD CONSTRAINT "instance_is_one_row" CHECK ("id" = 1);
