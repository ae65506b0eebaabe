-- Returns the ids of a project's endpoints that are subscribed to an event. The lock prevents a
-- removal, which would make the insert of the deliveries fail. An endpoint receives the audit log
-- only if it lists the event.
CREATE OR REPLACE FUNCTION "list_subscribed"("the_project" text, "the_type" text) RETURNS text[] LANGUAGE plpgsql AS $$
BEGIN
  RETURN ARRAY(
    SELECT "id" FROM "webhook_endpoints"
    WHERE "project_id" = "the_project" AND "disabled_at" IS NULL
      AND ("the_type" = ANY ("events") OR (cardinality("events") = 0 AND "the_type" <> 'audit.event'))
    ORDER BY "id" FOR KEY SHARE);
END $$;
