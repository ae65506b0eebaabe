ALTER TABLE "github_apps"
  DROP CONSTRAINT IF EXISTS "github_apps_is_one", ADD CONSTRAINT "github_apps_is_one" CHECK ("id" = 1);
