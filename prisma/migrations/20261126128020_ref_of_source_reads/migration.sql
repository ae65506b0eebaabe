-- The branch or tag that a job read. Null for reads that an earlier version recorded.
ALTER TABLE "source_reads" ADD COLUMN "ref" TEXT;
