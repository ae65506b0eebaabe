import { formatChecks } from '@corrigenda/site/checks'
import { defineTool } from './tool.ts'

/** Tool that runs the checks that the finished change must pass. */
export const checkDocsTool = defineTool({
  name: 'check_docs',
  description:
    'Check syntax, front matter, links, anchors, images, navigation and redirects. New issues from your changes come first. Issues marked as advice do not block finish. The scope `changed` covers the files you changed and the references you broke; `all` covers the whole repository.',
  kind: 'read',
  async run({ checkDocs, workspace }, { scope = 'changed' }) {
    return formatChecks(await checkDocs({ workspace, scope }))
  },
})
