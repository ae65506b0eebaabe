import { z } from 'zod'

const file = z.string().describe('File, relative to the repository root.')
const source = z.string().max(40).describe('Name of a source. Default: the files that you edit.').optional()

/**
 * Input schemas of the agent's tools, in the order in which they are sent to the model. Reordering
 * them invalidates the model API's prompt cache.
 */
export const ToolInputs = {
  list_files: z.object({
    path: z.string().describe('Folder, relative to the repository root. Default: the root.').optional(),
    glob: z.string().max(500).describe('Pattern relative to `path`, for example "**/*.mdx".').optional(),
    depth: z.int().min(1).max(20).describe('Levels to show. Default 2.').optional(),
    offset: z.int().min(0).describe('Rows to skip. Default 0.').optional(),
    source,
  }),
  search: z.object({
    query: z.string().max(1000).describe('Text to search for, on one line.'),
    mode: z.enum(['literal', 'regex']).describe('Default literal.').optional(),
    ignore_case: z.boolean().describe('Default false.').optional(),
    glob: z.string().max(500).describe('Only these files, for example "guides/**/*.mdx".').optional(),
    context: z.int().min(0).max(5).describe('Lines to show around each match, 0 to 5. Default 0.').optional(),
    output: z.enum(['lines', 'files', 'counts']).describe('Default lines.').optional(),
    offset: z.int().min(0).describe('Rows to skip. Default 0.').optional(),
    source,
  }),
  view: z.object({
    path: file,
    view_range: z
      .array(z.int())
      .length(2)
      .describe('First and last line, 1-based and inclusive. Use -1 as the last line for the end of the file.')
      .optional(),
    source,
  }),
  source_changes: z.object({
    source: z.string().max(40).describe('Name of a source.'),
    path: z.string().describe('File of the source whose diff is shown. Default: lists commits and files.').optional(),
  }),
  create: z.object({
    path: file,
    file_text: z.string().describe('The complete content. End it with a newline.'),
  }),
  edit: z.object({
    path: file,
    old_str: z.string().describe('The text to replace, exactly as it appears in the file.'),
    new_str: z.string().describe('The replacement text. Empty to delete the old text.'),
    expected_replacements: z.int().min(1).describe('Number of occurrences of old_str. Default 1.').optional(),
  }),
  insert: z.object({
    path: file,
    insert_line: z.int().describe('Line after which the text is inserted; 0 for the start of the file.'),
    insert_text: z.string().describe('Text to insert.'),
  }),
  move: z.object({
    path: z.string().describe('File or folder, relative to the repository root.'),
    new_path: z.string().describe('New path, which must not exist yet.'),
  }),
  delete: z.object({
    path: file,
    // Off by default, because a page may be deleted and then recreated at the same path.
    remove_entries: z.boolean().describe('Remove its entries from the navigation. Default false.').optional(),
  }),
  rename_heading: z.object({
    path: file,
    heading: z.string().max(1000).describe('The text of the heading, or its anchor, for example "#install".'),
    new_heading: z.string().max(1000).describe('The new text, as Markdown without # marks.'),
    keep_anchor: z
      .boolean()
      .describe('Keep the old anchor instead of rewriting the links to it. Default false.')
      .optional(),
  }),
  check_docs: z.object({ scope: z.enum(['changed', 'all']).describe('Default changed.').optional() }),
  finish: z.object({
    outcome: z
      .enum(['changed', 'no_change', 'needs_input', 'impossible'])
      .describe(
        'changed: the edits are the result. no_change: the documentation already covers the request. needs_input: a fact is missing that only a person can provide. impossible: the request cannot be fulfilled in this repository.',
      ),
    title: z.string().describe('For changed: title of the pull request, imperative, at most 72 characters.').optional(),
    body: z
      .string()
      .describe(
        'For changed: the changes, the reason for them, and facts that could not be verified, in plain Markdown.',
      )
      .optional(),
    reason: z.string().describe('For the other outcomes: the evidence, the question, or the reason.').optional(),
    evidence: z
      .array(
        z.strictObject({
          page: z.string().describe('Changed page.'),
          source: z.string().describe('Name of a source.'),
          path: z.string().describe('File of the source.'),
          fromLine: z.int().describe('First line, 1-based.'),
          toLine: z.int().describe('Last line, inclusive.'),
          note: z.string().describe('What the lines show, in one sentence.'),
        }),
      )
      .describe('For changed: lines of sources, read in this task, that support the facts on the changed pages.')
      .optional(),
  }),
}
export type ToolName = keyof typeof ToolInputs
export type ToolInputs = { readonly [Name in ToolName]: z.infer<(typeof ToolInputs)[Name]> }

/** Every tool name, in the order of {@link ToolInputs}. */
export const TOOL_NAMES = Object.keys(ToolInputs) as readonly ToolName[]
