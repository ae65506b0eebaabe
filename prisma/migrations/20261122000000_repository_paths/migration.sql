-- Repository paths may have more than two segments, such as group/subgroup/name. The application
-- enforces the path rule of each Git host (checkRepositoryPath).
ALTER TABLE "projects"
  DROP CONSTRAINT "projects_repository_is_url",
  ADD CONSTRAINT "projects_repository_is_url" CHECK ("repository_url" ~ '^https?://[^/@[:space:]]+(/[^/[:space:]]+){2,}$');
