-- Previews: deployments of a branch other than the base branch.
ALTER TABLE "projects" ADD COLUMN "preview_url_template" TEXT;

ALTER TABLE "deployments" ADD COLUMN "preview_branch" TEXT;
ALTER TABLE "deployments" ADD COLUMN "preview_url" TEXT;
ALTER TABLE "deployments"
  ADD CONSTRAINT "deployments_preview_has_branch_and_url" CHECK (("preview_branch" IS NULL) = ("preview_url" IS NULL));

CREATE FUNCTION "guard_preview"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the preview of deployment % never changes', OLD."id" USING ERRCODE = 'check_violation';
END $$;

CREATE TRIGGER "guard_preview" BEFORE UPDATE ON "deployments" FOR EACH ROW
  WHEN ((NEW."preview_branch", NEW."preview_url") IS DISTINCT FROM (OLD."preview_branch", OLD."preview_url"))
  EXECUTE FUNCTION "guard_preview"();
