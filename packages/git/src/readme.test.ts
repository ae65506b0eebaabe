import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createRepository, makeTempDir, runGit } from './test-support/fixture.ts'
import { startGitServer } from './test-support/git-server.ts'

test('the example of the README pushes a commit once, and prints the same result when it is repeated', async () => {
  using dir = makeTempDir()
  const origin = createRepository(dir.path, 'docs.git', [{ path: 'README.md', content: 'Read teh docs.\n' }])
  await using server = await startGitServer(dir.path, { token: 'secret-1' })
  vi.stubEnv('REPOSITORY_URL', server.url('docs.git'))
  vi.stubEnv('GIT_TOKEN', 'secret-1')
  vi.stubEnv('CACHE_DIR', join(dir.path, 'mirrors'))
  const print = vi.spyOn(console, 'log').mockImplementation(() => {})
  onTestFinished(() => {
    vi.unstubAllEnvs()
    print.mockRestore()
  })
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const example = /```js\n(import \{ buildCommit.*?)```/s.exec(readme)?.[1] ?? ''
  const code = example.replace("'@corrigenda/git'", JSON.stringify(new URL('./index.ts', import.meta.url).pathname))
  for (const run of ['first', 'second']) {
    const file = join(dir.path, `${run}.mjs`)
    writeFileSync(file, code)
    await import(/* @vite-ignore */ pathToFileURL(file).href)
  }
  const commit = runGit(origin, ['rev-parse', 'fix-typos'])
  expect(print.mock.calls).toEqual([
    [commit, 'pushed'],
    [commit, 'already_there'],
  ])
  expect(runGit(origin, ['show', 'fix-typos:README.md'])).toBe('Read the docs.')
  expect(runGit(origin, ['rev-parse', 'fix-typos^'])).toBe(runGit(origin, ['rev-parse', 'main']))
})
