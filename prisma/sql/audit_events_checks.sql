ALTER TABLE "audit_events"
  DROP CONSTRAINT IF EXISTS "audit_events_action_check", ADD CONSTRAINT "audit_events_action_check" CHECK ("action" ~ '^[a-z_]+\.[a-z_]+$'),
  DROP CONSTRAINT IF EXISTS "audit_events_actor_type_check", ADD CONSTRAINT "audit_events_actor_type_check" CHECK ("actor_type" IN ('user', 'key', 'command_line', 'anonymous', 'system'));
