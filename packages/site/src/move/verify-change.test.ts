import { buildMemoryWorkspace } from '@corrigenda/git/internal/test-support/memory-workspace'
import { expect, it } from 'vitest'
import { verifyChange } from './verify-change.ts'

const docs = (pages: readonly string[], redirects: readonly (readonly [string, string])[]) =>
  JSON.stringify({
    navigation: { pages },
    redirects: redirects.map(([source, destination]) => ({ source, destination })),
  })
const files = { 'docs.json': docs(['a', 'b'], [['/old', '/a']]), 'a.mdx': 'x\n', 'b.mdx': 'x\n' }

async function verify(edits: Record<string, string | null>, moves: Record<string, string> = {}) {
  const workspace = buildMemoryWorkspace(files)
  for (const [from, to] of Object.entries(moves)) await workspace.move(from, to)
  for (const [path, text] of Object.entries(edits)) {
    if (text === null) await workspace.remove(path)
    else await workspace.write(path, new TextEncoder().encode(text))
  }
  return await verifyChange(workspace, new Map(Object.entries(moves)))
}

it('an intended change has no damage', async () => {
  const navigation = docs(
    ['c', 'b', 'd'],
    [
      ['/old', '/c'],
      ['/a', '/c'],
    ],
  )
  const found = await verify({ 'docs.json': navigation, 'd.mdx': 'x\n' }, { 'a.mdx': 'c.mdx' })
  expect(found).toEqual({ damage: [], lost: [] })
  expect(await verify({ 'a.mdx': 'y\n' })).toEqual({ damage: [], lost: [] })
})

it('two redirects with the same source are damage', async () => {
  const found = await verify({
    'docs.json': docs(
      ['a', 'b'],
      [
        ['/old', '/a'],
        ['/old/', '/b'],
      ],
    ),
  })
  expect(found.damage).toEqual(['Several redirects have the same source. docs.json: /old'])
})

it('a site that is no longer found is damage', async () => {
  expect((await verify({ 'docs.json': null })).damage).toEqual(['The site of docs.json is no longer found.'])
})

it('removed entries and redirects are listed if they could remain', async () => {
  const found = await verify({ 'docs.json': docs(['b'], []) })
  expect(found.lost).toEqual([
    'docs.json: the redirect from /old to /a is removed.',
    'docs.json: the entry of a.mdx is removed, but the page remains.',
  ])
  const deleted = await verify({ 'docs.json': docs(['b'], [['/old', '/b']]), 'a.mdx': null })
  expect(deleted).toEqual({ damage: [], lost: [] })
})
