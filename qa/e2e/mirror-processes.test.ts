import { type ChildProcess, fork } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { commitFiles, makeTempDir, runGit } from '@corrigenda/git/internal/test-support/fixture'
import { startHarness } from '@corrigenda/git/internal/test-support/harness'
import { RepositoryError } from '@corrigenda/git/objects'
import { afterAll, expect, it } from 'vitest'

const temporary = makeTempDir()
const childModule = new URL('../../packages/git/dist/mirror/fetch-child.js', import.meta.url)
afterAll(() => temporary[Symbol.dispose]())

const files = Array.from({ length: 40 }, (_, i) => ({
  path: `d${i % 5}/page-${i}.md`,
  content: `page ${i}\n`.repeat(30),
}))

interface Report {
  readonly reads: number
  readonly commits: number
  readonly failures: string[]
}

it('four processes share one mirror during 30 branch updates without failed reads or corruption', async () => {
  await using host = await startHarness(files)
  const cacheDir = join(temporary.path, 'shared-cache')
  mkdirSync(cacheDir)
  const children: ChildProcess[] = []
  const reports: Promise<Report>[] = []
  let seenLatest: (commit: string) => void = () => undefined
  for (let i = 0; i < 4; i++) {
    const child = fork(new URL('../dist/zombies/mirror-process.js', import.meta.url), [], { execArgv: [] })
    children.push(child)
    reports.push(
      new Promise((resolve, reject) => {
        child.on('message', (message: Report | string) => {
          if (typeof message === 'string') seenLatest(message)
          else resolve(message)
        })
        // Not `exit`, which can be emitted before the last message.
        child.once('disconnect', () => reject(new Error('a process exited without a report')))
      }),
    )
    child.send({ cacheDir, url: host.url, token: host.token })
  }
  for (let move = 0; move < 30; move++) {
    const page = move % 40
    const commit = commitFiles(host.origin, 'main', [
      { path: `d${page % 5}/page-${page}.md`, content: `page ${page} ${move % 7}\n`.repeat(30) },
    ])
    // Waits until a process has read this commit before moving the branch again.
    await new Promise<void>((resolve) => {
      seenLatest = (seen) => seen === commit && resolve()
    })
  }
  for (const child of children) child.send('stop')
  const done = await Promise.all(reports)
  expect(done.flatMap((report) => report.failures)).toEqual([])
  expect(done.every((report) => report.reads > 0)).toBe(true)
  for (const mirror of readdirSync(cacheDir)) {
    const versions = readdirSync(join(cacheDir, mirror)).filter((name) => name.startsWith('g-'))
    expect(versions.length).toBeGreaterThan(0)
    for (const version of versions) runGit(join(cacheDir, mirror, version), ['fsck', '--full', '--strict'])
  }
})

it('downloads a repository in a child process', async () => {
  await using host = await startHarness(files, { coldBuild: 'child', childModule })
  const request = { tenant: 't', url: host.url, branch: null, token: host.token }
  await using snapshot = await host.mirrors.openSnapshot(request)
  expect((await snapshot.readTree(snapshot.tree)).entries).toHaveLength(5)
})

it("receives the host's error from the child process", async () => {
  await using host = await startHarness(files, { coldBuild: 'child', childModule, maxRepositoryBytes: 2_000 })
  const open = () => host.mirrors.openSnapshot({ tenant: 't', url: host.url, branch: null, token: host.token })
  await expect(open()).rejects.toMatchObject({ name: 'GitHttpError', code: 'too_large' })
  expect(readdirSync(join(host.cacheDir, readdirSync(host.cacheDir)[0] ?? ''))).not.toContain('current')
})

it.each([
  ['uses too much memory', { maxResidentBytes: 1_000_000 }, 'memory'],
  ['takes too long', { maxBuildMs: 1 }, 'within 1 ms'],
])('kills the child process when it %s', async (_why, childLimits, message) => {
  await using host = await startHarness(files, { coldBuild: 'child', childModule, childLimits })
  // The host never responds to the download, so only the monitor can stop it.
  host.server.fault = {
    before: (request, _response, body) => request.method === 'POST' && body.includes('command=fetch'),
  }
  const open = host.mirrors.openSnapshot({ tenant: 't', url: host.url, branch: null, token: host.token })
  const error = await open.catch((reason) => reason)
  expect(error).toBeInstanceOf(RepositoryError)
  expect(error.code).toBe('too_large')
  expect(error.message).toContain(message)
})

it('kills the child process when the job is stopped', async () => {
  await using host = await startHarness(files, { coldBuild: 'child', childModule })
  const controller = new AbortController()
  host.server.fault = {
    before: (request, _response, body) => {
      if (request.method !== 'POST' || !body.includes('command=fetch')) return false
      controller.abort()
      return true
    },
  }
  const { signal } = controller
  const open = host.mirrors.openSnapshot({ tenant: 't', url: host.url, branch: null, token: host.token, signal })
  await expect(open).rejects.toMatchObject({ code: 'aborted' })
  host.server.fault = null
  await using snapshot = await host.mirrors.openSnapshot({
    tenant: 't',
    url: host.url,
    branch: null,
    token: host.token,
  })
  expect(snapshot.commit).toHaveLength(40)
})
