-- Records an act and publishes it to the project's endpoints that subscribe to the audit log.
CREATE OR REPLACE FUNCTION "record_act"("act" jsonb, "the_before" json, "the_after" json, "at" timestamptz, "endpoints" text[])
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "audit_events" ("id", "created_at", "action", "actor_type", "actor_id", "actor_name", "ip_address",
    "request_id", "project_id", "target_type", "target_id", "target_name", "before", "after")
  VALUES ("act"->>'id', "at", "act"->>'action', "act"#>>'{actor,type}', "act"#>>'{actor,id}', "act"#>>'{actor,name}',
    "act"->>'ipAddress', "act"->>'requestId', "act"->>'projectId', "act"#>>'{target,type}', "act"#>>'{target,id}',
    "act"#>>'{target,name}', "the_before"::jsonb, "the_after"::jsonb);
  IF cardinality("endpoints") > 0 THEN
    PERFORM "publish_act"("act", "the_before", "the_after", "at", "endpoints");
  END IF;
END $$;
