import { z } from 'zod'
import { formatBroken } from '../format-broken.ts'
import { defineTool, ToolError } from '../tool.ts'
import { getEntry, parsePath, requireAllowed, requireFile } from '../tool-path.ts'

/** A file at another path. */
export const move = defineTool({
  name: 'move',
  description:
    'Move or rename a file. Links and navigation are not rewritten: the result lists what now leads nowhere.',
  kind: 'write',
  input: z.object({
    path: z.string().describe('File, relative to the repository root.'),
    new_path: z.string().describe('Where it goes; must not exist yet.'),
  }),
  async run(context, input) {
    const path = parsePath(input.path)
    const target = parsePath(input.new_path)
    if (path === target) throw new ToolError('path and new_path are the same, so nothing was moved.')
    requireAllowed(context.policy, path, 'move')
    requireAllowed(context.policy, target, 'move')
    const extension = (name: string) => /\.[^./]*$/.exec(name)?.[0].toLowerCase() ?? ''
    if (extension(path) !== extension(target) && context.policy.explain(target, 'write') !== null) {
      throw new ToolError(`${target} must keep the extension of ${path}.`)
    }
    requireFile(await getEntry(context.workspace, path))
    if ((await context.workspace.find(target)) !== null) {
      throw new ToolError(`${target} exists. Choose another new_path, or delete it first if it is to be replaced.`)
    }
    await context.workspace.move(path, target)
    return `Moved ${path} to ${target}.${await formatBroken(context, path, target)}`
  },
})
