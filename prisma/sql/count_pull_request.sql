CREATE OR REPLACE FUNCTION "count_pull_request"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO metric_counts (project_id, metric, label, value)
    SELECT NEW.project_id, 'pull_requests', event, 1 FROM (VALUES
      ('opened', OLD.pr_url IS DISTINCT FROM NEW.pr_url),
      ('reopened', OLD.pr_url = NEW.pr_url AND OLD.pr_state <> 'open' AND NEW.pr_state = 'open'),
      ('merged', NEW.pr_state = 'merged' AND (OLD.pr_state IS DISTINCT FROM 'merged' OR OLD.pr_url <> NEW.pr_url)),
      ('closed', NEW.pr_state = 'closed' AND (OLD.pr_state IS DISTINCT FROM 'closed' OR OLD.pr_url <> NEW.pr_url))
    ) AS events (event, happened) WHERE happened;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER "count_pull_request" AFTER UPDATE OF "pr_url", "pr_state" ON "jobs" FOR EACH ROW
  WHEN (NEW.pr_url IS NOT NULL AND (OLD.pr_url IS DISTINCT FROM NEW.pr_url OR OLD.pr_state IS DISTINCT FROM NEW.pr_state))
  EXECUTE FUNCTION "count_pull_request"();
