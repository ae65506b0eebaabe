import { TOOL_NAMES, type ToolName } from '@corrigenda/contracts'
import { formatChecks } from '@corrigenda/site/checks'
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
import { defineTool, type Tool } from './tool.ts'
import { view } from './view.ts'

/** Tool that runs the checks that the finished change must pass. */
const checkDocsTool = defineTool({
  name: 'check_docs',
  description:
    'Check syntax, front matter, links, anchors, images, navigation and redirects. New issues from your changes come first. Issues marked as advice do not block finish. The scope `changed` covers the files you changed and the references you broke; `all` covers the whole repository.',
  kind: 'read',
  async run({ checkDocs, workspace }, { scope = 'changed' }) {
    return formatChecks(await checkDocs({ workspace, scope }))
  },
})

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
