import { toRunSettings } from '@corrigenda/core/projects'
import { buildMemoryWorkspace } from '@corrigenda/git/internal/test-support/memory-workspace'
import { expect, test } from 'vitest'
import { reviewChange } from './do-agent-work.ts'

test('a moved page is one change, which counts the lines that differ', async () => {
  const page = '# Secrets\n\nOne.\n\nTwo.\n\nThree.\n'
  const workspace = buildMemoryWorkspace({ 'secrets.md': page, 'other.md': 'Old.\n' })
  await workspace.move('secrets.md', 'managing-secrets.md')
  await workspace.write('managing-secrets.md', Buffer.from(page.replace('Two', '2')))
  await workspace.write('other.md', Buffer.from('New.\n'))
  const { changes } = await reviewChange(workspace, toRunSettings({}))
  expect(changes).toEqual([
    { path: 'managing-secrets.md', previousPath: 'secrets.md', kind: 'added', added: 1, removed: 1 },
    { path: 'other.md', kind: 'modified', added: 1, removed: 1 },
  ])
})
