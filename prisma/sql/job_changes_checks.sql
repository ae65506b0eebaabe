ALTER TABLE "job_changes"
  DROP CONSTRAINT IF EXISTS "job_changes_files_is_list", ADD CONSTRAINT "job_changes_files_is_list" CHECK (jsonb_typeof("files") = 'array'),
  DROP CONSTRAINT IF EXISTS "job_changes_texts_is_list", ADD CONSTRAINT "job_changes_texts_is_list" CHECK (jsonb_typeof("texts") = 'array');
