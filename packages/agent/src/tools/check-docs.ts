import { formatChecks } from '@corrigenda/site/checks'
import { defineTool } from './tool.ts'

/** Tool that runs the checks that the finished change must pass. */
export const checkDocsTool = defineTool({
  name: 'check_docs',
  description:
    'Check syntax, front matter, links, anchors, images, navigation and redirects. Problems your changes introduced come first; those marked advice do not keep you from finishing. `scope` changed looks at what you touched or broke, all at the whole repository.',
  kind: 'read',
  async run({ checkDocs, workspace }, { scope = 'changed' }) {
    return formatChecks(await checkDocs({ workspace, scope }))
  },
})
