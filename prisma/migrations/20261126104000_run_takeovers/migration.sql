-- Runs whose lease was ended because their worker's process had ended. A row is refuted when the
-- worker turns out to be running.
CREATE TABLE "run_takeovers" (
    "run_id" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "owner" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
    "refuted_at" TIMESTAMPTZ(3),

    CONSTRAINT "run_takeovers_pkey" PRIMARY KEY ("run_id", "attempt"),
    CONSTRAINT "run_takeovers_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
