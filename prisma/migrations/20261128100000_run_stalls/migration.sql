-- Number of attempts whose worker stopped responding. Each counts as two attempts.
ALTER TABLE "runs" ADD COLUMN "stalls" INTEGER NOT NULL DEFAULT 0;
