import { checkDocsTool } from './check-docs.ts'
import { create } from './create.ts'
import { deleteFile } from './delete.ts'
import { edit } from './edit.ts'
import { finish } from './finish.ts'
import { insert } from './insert.ts'
import { listFiles } from './list-files.ts'
import { move } from './move.ts'
import { search } from './search.ts'
import type { Tool } from './tool.ts'
import { view } from './view.ts'

/** The ten tools, in the order the model sees them. The order is part of the cached prefix. */
export const ALL_TOOLS: readonly Tool[] = [
  listFiles,
  search,
  view,
  create,
  edit,
  insert,
  move,
  deleteFile,
  checkDocsTool,
  finish,
]
