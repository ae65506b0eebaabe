-- A job with the outcome `rehearsal` is completed. The rows are checked by the next migration, so that
-- this one holds its lock only briefly.
ALTER TABLE "jobs"
  DROP CONSTRAINT "jobs_outcome_fits_status",
  ADD CONSTRAINT "jobs_outcome_fits_status" CHECK (
    CASE "status"
      WHEN 'completed' THEN "outcome" IN ('changed', 'no_changes', 'needs_input', 'rehearsal')
      WHEN 'failed' THEN "outcome" IN ('cancelled', 'failed')
      ELSE true
    END
  ) NOT VALID;
