import { z } from 'zod'

const file = z.string().describe('File, relative to the repository root.')

/**
 * Input schemas of the agent's tools, in the order in which the model receives them. The order is
 * part of the cached prefix.
 */
export const ToolInputs = {
  list_files: z.object({
    path: z.string().describe('Folder, relative to the repository root. Default: the root.').optional(),
    glob: z.string().max(500).describe('Pattern relative to `path`, for example "**/*.mdx".').optional(),
    depth: z.int().min(1).max(20).describe('Levels to show. Default 2.').optional(),
    offset: z.int().min(0).describe('Rows to skip. Default 0.').optional(),
  }),
  search: z.object({
    query: z.string().max(1000).describe('Text to look for, on one line.'),
    mode: z.enum(['literal', 'regex']).describe('Default literal.').optional(),
    ignore_case: z.boolean().describe('Default false.').optional(),
    glob: z.string().max(500).describe('Only these files, for example "guides/**/*.mdx".').optional(),
    context: z.int().min(0).max(5).describe('Lines to show around each hit, 0 to 5. Default 0.').optional(),
    output: z.enum(['lines', 'files', 'counts']).describe('Default lines.').optional(),
    offset: z.int().min(0).describe('Rows to skip. Default 0.').optional(),
  }),
  view: z.object({
    path: file,
    view_range: z
      .array(z.int())
      .length(2)
      .describe('First and last line, both included, from 1; -1 as the last means the end.')
      .optional(),
  }),
  create: z.object({
    path: file,
    file_text: z.string().describe('The whole content; end it with a newline.'),
  }),
  edit: z.object({
    path: file,
    old_str: z.string().describe('The text to replace, exactly as it stands in the file.'),
    new_str: z.string().describe('The text to put there; empty to delete.'),
    expected_replacements: z.int().min(1).describe('How often old_str occurs. Default 1.').optional(),
  }),
  insert: z.object({
    path: file,
    insert_line: z.int().describe('Line after which the text goes; 0 for the top.'),
    insert_text: z.string().describe('Text to insert.'),
  }),
  move: z.object({
    path: z.string().describe('File or folder, relative to the repository root.'),
    new_path: z.string().describe('Where it goes; must not exist yet.'),
  }),
  delete: z.object({
    path: file,
    // Off by default, because a page may be deleted and then created again at the same path.
    remove_entries: z.boolean().describe('Take its entries out of the navigation. Default false.').optional(),
  }),
  check_docs: z.object({ scope: z.enum(['changed', 'all']).describe('Default changed.').optional() }),
  finish: z.object({
    outcome: z
      .enum(['changed', 'no_change', 'needs_input', 'impossible'])
      .describe(
        'changed: the edits are the result. no_change: the documentation already says so. needs_input: a fact is missing that only a person can give. impossible: it cannot be done here.',
      ),
    title: z.string().describe('For changed: title of the pull request, imperative, at most 72 characters.').optional(),
    body: z
      .string()
      .describe('For changed: what changed and why, in plain Markdown; what could not be verified.')
      .optional(),
    reason: z.string().describe('For the other outcomes: the evidence, the question, or why not.').optional(),
  }),
}
export type ToolName = keyof typeof ToolInputs
export type ToolInputs = { readonly [Name in ToolName]: z.infer<(typeof ToolInputs)[Name]> }

/** Every tool name, in the order of {@link ToolInputs}. */
export const TOOL_NAMES = Object.keys(ToolInputs) as readonly ToolName[]
