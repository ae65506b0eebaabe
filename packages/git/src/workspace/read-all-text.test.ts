import { expect, test } from 'vitest'
import { readAllText } from './read-all-text.ts'
import { type Workspace, type WorkspaceEntry, WorkspaceError } from './workspace.ts'

const entry = (path: string) => ({ path, kind: 'file' }) as WorkspaceEntry

async function readFrom(read: (path: string) => Promise<Uint8Array>): Promise<string[]> {
  const paths: string[] = []
  const entries = ['a.md', 'b.md', 'c.png'].map(entry)
  for await (const { path } of readAllText({ read } as Workspace, entries)) paths.push(path)
  return paths
}

test('skips files that the workspace refuses to read and files that are not text', async () => {
  const read = async (path: string) => {
    if (path === 'a.md') throw new WorkspaceError('too_large', 'Too large.')
    return Buffer.from('text\n')
  }
  expect(await readFrom(read)).toEqual(['b.md'])
})

test('throws if the host is unreachable instead of treating the files as missing', async () => {
  await expect(readFrom(() => Promise.reject(new Error('the host is unreachable')))).rejects.toThrow(
    'the host is unreachable',
  )
})
