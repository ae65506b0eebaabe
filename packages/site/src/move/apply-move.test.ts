import { buildMemoryWorkspace } from '@corrigenda/git/internal/test-support/memory-workspace'
import { expect, it } from 'vitest'
import { applyMove } from './apply-move.ts'

it('reverts the writes if the file to remove does not exist', async () => {
  const workspace = buildMemoryWorkspace({ 'docs.json': 'old', 'a.md': 'x' })
  const writes = new Map([['docs.json', new TextEncoder().encode('new')]])
  await expect(applyMove(workspace, new Map(), writes, 'missing.md')).rejects.toThrow()
  expect(await workspace.changes()).toEqual([])
  await applyMove(workspace, new Map(), writes, 'a.md')
  expect(workspace.text('docs.json')).toBe('new')
  expect(await workspace.find('a.md')).toBeNull()
})
