-- Rights that come from a group of the identity provider. `role` and `is_operator` stay the effective
-- rights. While a group gives a right, the other columns keep the right that was given by hand.
ALTER TABLE "memberships"
    ADD COLUMN "direct_role" "member_role",
    ADD COLUMN "group_role" "member_role",
    ADD COLUMN "group_name" TEXT,
    ADD CONSTRAINT "memberships_group" CHECK (("group_role" IS NULL) = ("group_name" IS NULL)),
    ADD CONSTRAINT "memberships_direct_role" CHECK ("group_role" IS NOT NULL OR "direct_role" IS NULL),
    -- The higher role, because the order of the values is owner, member, viewer. Null is ignored.
    ADD CONSTRAINT "memberships_role" CHECK ("group_role" IS NULL OR "role" = least("direct_role", "group_role"));

ALTER TABLE "users"
    ADD COLUMN "admin_group" TEXT,
    ADD COLUMN "is_direct_admin" BOOLEAN NOT NULL DEFAULT false,
    ADD CONSTRAINT "users_admin_group" CHECK ("admin_group" IS NULL OR "is_operator"),
    ADD CONSTRAINT "users_direct_admin" CHECK ("admin_group" IS NOT NULL OR NOT "is_direct_admin");
