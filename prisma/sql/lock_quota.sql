-- Serializes the quota checks of a project until the transaction ends. Returns whether the lock was
-- acquired. Without the lock, 105 of 300 parallel requests were accepted despite a limit of 100.
CREATE OR REPLACE FUNCTION "lock_quota"("the_project" text, "may_wait" boolean) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  lock_key CONSTANT bigint := hashtextextended('quota:' || "the_project", 0);
BEGIN
  IF NOT "may_wait" THEN
    RETURN pg_try_advisory_xact_lock(lock_key);
  END IF;
  PERFORM pg_advisory_xact_lock(lock_key);
  RETURN true;
END $$;
