-- Prompts that the members of a project have saved for new jobs.
CREATE TABLE "saved_prompts" (
    "id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "prompt" TEXT NOT NULL,
    "created_by_name" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "saved_prompts_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "saved_prompts_name_is_short" CHECK (char_length("name") BETWEEN 1 AND 100),
    CONSTRAINT "saved_prompts_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- Names are unique in a project, ignoring case.
CREATE UNIQUE INDEX "saved_prompts_by_name" ON "saved_prompts" ("project_id", lower("name"));
