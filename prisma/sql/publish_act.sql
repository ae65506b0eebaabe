-- Publishes an act to the endpoints that subscribe to the audit log.
CREATE OR REPLACE FUNCTION "publish_act"("act" jsonb, "the_before" json, "the_after" json, "at" timestamptz, "endpoints" text[])
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "insert_event"("act"->>'projectId', 'audit.event', json_build_object('auditEvent', json_build_object(
    'id', "act"->'id', 'createdAt', "to_json_time"("at"), 'action', "act"->'action', 'actor', "act"->'actor',
    'ipAddress', "act"->'ipAddress', 'requestId', "act"->'requestId', 'projectId', "act"->'projectId',
    'target', "act"->'target', 'before', "the_before", 'after', "the_after"))::text, "at", "endpoints");
END $$;
