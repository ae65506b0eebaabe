-- Marks that the numbers of a project's runs have a gap.
CREATE OR REPLACE FUNCTION "mark_quota_gap"("the_project" text, "at" timestamptz) RETURNS void LANGUAGE sql AS $$
  UPDATE "projects" SET "quota_gap_at" = "at"
  WHERE "id" = "the_project" AND "deleted_at" IS NULL AND ("quota_gap_at" IS NULL OR "quota_gap_at" < "at")
$$;
