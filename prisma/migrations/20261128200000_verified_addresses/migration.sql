-- An invitation that an admin or the command line created for an address verifies that address. The
-- creator is stored separately, because it becomes null when the account is deleted.
ALTER TABLE "invitations" ADD COLUMN "verifies" BOOLEAN NOT NULL DEFAULT false;

-- Admins already have access to everything that a verified address can be given.
UPDATE "users" SET "email_verified" = true WHERE "is_operator" AND NOT "is_demo";
