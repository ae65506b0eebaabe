import { z } from 'zod'
import { formatBroken } from '../format-broken.ts'
import { defineTool } from '../tool.ts'
import { getEntry, parsePath, requireAllowed, requireFile } from '../tool-path.ts'

/** A file removed. Not named after its file: `delete` is a word of the language. */
export const deleteFile = defineTool({
  name: 'delete',
  description: 'Delete a file. The result lists links and navigation entries that now lead nowhere.',
  kind: 'write',
  input: z.object({ path: z.string().describe('File, relative to the repository root.') }),
  async run(context, input) {
    const path = parsePath(input.path)
    requireAllowed(context.policy, path, 'delete')
    requireFile(await getEntry(context.workspace, path))
    await context.workspace.remove(path)
    return `Deleted ${path}.${await formatBroken(context, path, path)}`
  },
})
