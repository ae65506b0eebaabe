-- What a project's owner set: {"budgets": {…}, "policy": {…}}, only what differs from the defaults. The application knows the rest of the shape.
ALTER TABLE "projects" ADD COLUMN "settings" JSONB NOT NULL DEFAULT '{}';
-- Who changed the settings last, and when. The name is kept, too: people go.
ALTER TABLE "projects" ADD COLUMN "settings_changed_at" TIMESTAMPTZ(3);
ALTER TABLE "projects" ADD COLUMN "settings_changed_by" TEXT;
ALTER TABLE "projects" ADD COLUMN "settings_changed_by_id" TEXT;
ALTER TABLE "projects"
  ADD CONSTRAINT "projects_settings_are_an_object" CHECK (jsonb_typeof("settings") = 'object'),
  ADD CONSTRAINT "projects_settings_changed_has_time" CHECK ("settings_changed_by" IS NULL OR "settings_changed_at" IS NOT NULL);

-- The settings as they were when the run was first claimed: a resumed run keeps them.
ALTER TABLE "runs" ADD COLUMN "settings" JSONB;
ALTER TABLE "runs" ADD CONSTRAINT "runs_settings_are_an_object" CHECK ("settings" IS NULL OR jsonb_typeof("settings") = 'object');

CREATE FUNCTION "guard_run_settings"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD."settings" IS NOT NULL AND NEW."settings" IS DISTINCT FROM OLD."settings" THEN
    RAISE EXCEPTION 'the settings of run % are pinned', OLD."id" USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER "guard_run_settings" BEFORE UPDATE OF "settings" ON "runs" FOR EACH ROW EXECUTE FUNCTION "guard_run_settings"();
