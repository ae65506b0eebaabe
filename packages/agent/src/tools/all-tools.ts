import { TOOL_NAMES, type ToolName } from '@corrigenda/contracts'
import { checkDocsTool } from './check-docs.ts'
import { create } from './create.ts'
import { deleteFile } from './delete.ts'
import { edit } from './edit.ts'
import { finish } from './finish.ts'
import { insert } from './insert.ts'
import { listFiles } from './list-files.ts'
import { move } from './move.ts'
import { renameHeading } from './rename-heading.ts'
import { search } from './search.ts'
import { sourceChanges } from './source-changes.ts'
import type { Tool } from './tool.ts'
import { view } from './view.ts'

const tools: Readonly<Record<ToolName, Tool>> = {
  list_files: listFiles,
  search,
  view,
  source_changes: sourceChanges,
  create,
  edit,
  insert,
  move,
  delete: deleteFile,
  rename_heading: renameHeading,
  check_docs: checkDocsTool,
  finish,
}

/** All tools, in the order shown to the model. */
export const ALL_TOOLS: readonly Tool[] = TOOL_NAMES.map((name) => tools[name])
