import { z } from 'zod'
import { formatChecks } from '../../checks/format-checks.ts'
import { defineTool } from '../tool.ts'

/** The checks that the finished change must pass. */
export const checkDocsTool = defineTool({
  name: 'check_docs',
  description:
    'Check syntax, front matter and navigation. Problems your changes introduced come first. `scope` changed looks at what you touched, all at the whole repository.',
  kind: 'read',
  input: z.object({ scope: z.enum(['changed', 'all']).describe('Default changed.').optional() }),
  async run({ checkDocs, workspace }, { scope = 'changed' }) {
    return formatChecks(await checkDocs({ workspace, scope }))
  },
})
