-- A stored token is bound to the host of the repository that it was saved for. Existing tokens are
-- bound to the host of the project's present repository.
ALTER TABLE "git_credentials" ADD COLUMN "host" TEXT;
UPDATE "git_credentials" SET "host" = (
  SELECT split_part(split_part("repository_url", '://', 2), '/', 1) FROM "projects" WHERE "id" = "project_id"
);
ALTER TABLE "git_credentials" ALTER COLUMN "host" SET NOT NULL;
