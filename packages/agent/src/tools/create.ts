import { decodeText, encodeText, toLines } from '@corrigenda/git/workspace'
import { defineTool, ToolError } from './tool.ts'
import { parsePath, requireAllowed } from './tool-path.ts'
import { formatNewProblems, requireText, writeText } from './write-text.ts'

/** Tool that creates a file. */
export const create = defineTool({
  name: 'create',
  description: 'Create a file. The file must not exist yet. A new page usually also needs an entry in the navigation.',
  kind: 'write',
  async run(context, input) {
    const path = parsePath(input.path)
    requireText(input.file_text, 'file_text')
    requireAllowed(context.policy, path, 'write')
    const entry = await context.workspace.find(path)
    if (entry !== null) {
      const file = entry.kind === 'submodule' ? 'binary' : decodeText(await context.workspace.read(path))
      const size = typeof file === 'string' ? '' : ` (${toLines(file.text).length} lines)`
      throw new ToolError(`${path} exists${size}. Use edit or insert to change it.`)
    }
    await writeText(context, path, encodeText(input.file_text))
    const lines = toLines(input.file_text).length
    return `Created ${path} with ${lines} ${lines === 1 ? 'line' : 'lines'}.${await formatNewProblems(context, [path])}`
  },
})
