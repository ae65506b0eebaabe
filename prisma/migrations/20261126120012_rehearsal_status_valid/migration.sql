ALTER TABLE "jobs" VALIDATE CONSTRAINT "jobs_outcome_fits_status";
