ALTER TABLE "memberships"
  DROP CONSTRAINT IF EXISTS "memberships_direct_role", ADD CONSTRAINT "memberships_direct_role" CHECK ("group_role" IS NOT NULL OR "direct_role" IS NULL),
  DROP CONSTRAINT IF EXISTS "memberships_group", ADD CONSTRAINT "memberships_group" CHECK (("group_role" IS NULL) = ("group_name" IS NULL)),
  -- The higher role, because the order of the values is owner, member, viewer. Null is ignored.
  DROP CONSTRAINT IF EXISTS "memberships_role", ADD CONSTRAINT "memberships_role" CHECK ("group_role" IS NULL OR "role" = least("direct_role", "group_role"));
