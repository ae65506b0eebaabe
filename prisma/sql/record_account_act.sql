-- Accounts, sign-in methods and sessions are written by the sign-in library, so triggers record
-- them. A transaction of the service sets the actor; otherwise, users act on their own account.
CREATE OR REPLACE FUNCTION "record_account_act"("the_action" text, "user_id" text, "user_name" text, "address" text, "target_type" text, "target_id" text, "target_name" text, "new_values" jsonb)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  actor jsonb := nullif(current_setting('corrigenda.actor', true), '')::jsonb;
BEGIN
  INSERT INTO "audit_events" ("id", "action", "actor_type", "actor_id", "actor_name", "ip_address", "request_id", "target_type", "target_id", "target_name", "after")
  VALUES (
    "new_audit_id"(), the_action,
    coalesce(actor->>'type', 'user'),
    CASE WHEN actor IS NULL THEN user_id ELSE actor->>'id' END,
    coalesce(actor->>'name', user_name),
    CASE WHEN actor IS NULL THEN address ELSE actor->>'ipAddress' END,
    actor->>'requestId',
    target_type, target_id, target_name, new_values
  );
END $$;
