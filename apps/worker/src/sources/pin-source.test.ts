import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toRepositoryAddress } from '@corrigenda/contracts'
import { openLog } from '@corrigenda/core/runtime'
import { GitHttpError } from '@corrigenda/git/http'
import { openMirrors } from '@corrigenda/git/snapshot'
import { startGitHost } from '@corrigenda/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildGitHub } from '../git-host/github/build-github.ts'
import { pinSource } from './pin-source.ts'
import type { SelectedSource } from './select-sources.ts'
import type { SourceDeps } from './source-deps.ts'

const FULL = 'acme/api'
const now = new Date()
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)
const WHO = ['-c', 'user.name=Robin', '-c', 'user.email=robin@example.com']
const AGES = [90, 40, 20, 10, 5]

const toCommit = (days: number) => ({
  message: `feat: ${days}`,
  files: new Map([[`${days}.ts`, { data: `${days}\n` }]]),
  at: daysAgo(days),
})

let root: string
let host: Awaited<ReturnType<typeof startGitHost>>
let deps: SourceDeps
/** Commits, oldest first. */
let commits: string[]

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'corrigenda-pin-'))
  host = await startGitHost({ root: join(root, 'host') })
  await host.createRepository(FULL, { commits: AGES.map(toCommit) })
  commits = (await host.git(FULL, 'rev-list', '--reverse', 'main')).split('\n')
  await host.git(FULL, ...WHO, 'tag', '-a', '-m', 'v1', 'v1', commits[1] ?? '')
  await host.createRepository('acme/busy', {
    commits: Array.from({ length: 70 }, (_, n) => ({
      ...toCommit(n),
      at: new Date(now.getTime() - (70 - n) * 60_000),
    })),
  })
  const log = openLog({ level: 'silent', secrets: [] })
  const adapter = buildGitHub({ apiUrl: null, version: '0.0.0', retryBaseMs: 5 })
  deps = {
    log,
    mirrors: await openMirrors({ cacheDir: join(root, 'cache'), log, coldBuild: 'inline' }),
    credentials: adapter.buildCredentials({ kind: 'token', token: host.token }),
    openGitHost: adapter.openGitHost,
  }
})
afterAll(async () => {
  await deps.mirrors.close()
  await host.close()
  await rm(root, { recursive: true, force: true })
})

const pin = (
  asked: Partial<SelectedSource['asked']> = {},
  some: { lastRead?: string; full?: string; branch?: string } & Partial<Pick<SourceDeps, 'log' | 'mirrors'>> = {},
) => {
  const repository = host.repositoryUrl(some.full ?? FULL)
  const source: SelectedSource = {
    name: 'api',
    repository,
    address: toRepositoryAddress(repository),
    ref: some.branch ?? null,
    paths: [],
    quotable: [],
    visibility: null,
    cite: null,
    mayUseInstanceCredential: true,
    listsChanges: true,
    asked: { isGuess: false, ...asked },
  }
  const signal = new AbortController().signal
  const input = {
    projectId: 'prj_1',
    source,
    own: null,
    findLastRead: async (ref: string | null) => (ref === 'main' ? some.lastRead : undefined),
    needsBase: true,
    now,
    signal,
  }
  return pinSource({ ...deps, log: some.log ?? deps.log, mirrors: some.mirrors ?? deps.mirrors }, input)
}
const at = (age: number) => commits[AGES.indexOf(age)]

describe('the recent changes start', () => {
  test('14 days ago by default', async () => {
    expect(await pin()).toMatchObject({ ref: 'main', commit: at(5), baseCommit: at(20) })
  })
  test('at the commit that the last job read', async () => {
    for (const since of [undefined, 'last-job']) {
      expect(await pin(since ? { since } : {}, { lastRead: at(40) ?? '' })).toMatchObject({ baseCommit: at(40) })
    }
    expect(await pin({}, { lastRead: at(5) ?? '' })).toMatchObject({ baseCommit: at(5) })
  })
  test('at no commit that a job read of another branch', async () => {
    expect(await pin({ ref: 'v1' }, { lastRead: at(90) ?? '' })).toMatchObject({ commit: at(40), baseCommit: at(40) })
  })
  test('14 days ago if the last commit no longer exists, or no job read the source', async () => {
    expect(await pin({}, { lastRead: '0'.repeat(40) })).toMatchObject({ baseCommit: at(20) })
    expect(await pin({ since: 'last-job' })).toMatchObject({ baseCommit: at(20) })
  })
  test('at a tag, a commit, the parent of a commit, or a date', async () => {
    expect(await pin({ since: 'v1' })).toMatchObject({ baseCommit: at(40) })
    expect(await pin({ since: (at(20) ?? '').slice(0, 10) })).toMatchObject({ baseCommit: at(20) })
    expect(await pin({ since: `${at(20)}^` })).toMatchObject({ baseCommit: at(40) })
    expect(await pin({ since: daysAgo(30).toISOString() })).toMatchObject({ baseCommit: at(40) })
    expect(await pin({ since: daysAgo(15).toISOString().slice(0, 10) })).toMatchObject({ baseCommit: at(20) })
  })
  test('at a tag whose name is a date', async () => {
    const tag = daysAgo(15).toISOString().slice(0, 10)
    const full = 'acme/dated'
    await host.createRepository(full, { commits: AGES.map(toCommit) })
    await host.git(full, 'tag', tag, 'main~4')
    const first = await host.git(full, 'rev-parse', 'main~4')
    expect(await pin({ since: tag }, { full })).toMatchObject({ baseCommit: first })
  })
  test('at the first commit of a young repository', async () => {
    expect(await pin({ since: '2000-01-01' })).toMatchObject({ baseCommit: at(90) })
  })
  test('at a commit of the branch itself, rather than of a branch that was merged later', async () => {
    const full = 'acme/merged'
    const push = (branch: string, days: number) =>
      host.pushCommit(full, branch, { ...toCommit(days), files: new Map([[`${days}.ts`, { data: '' }]]) })
    await host.createRepository(full, { commits: [toCommit(90)] })
    const topic = await push('topic', 15)
    for (const days of [60, 30]) await push('main', days)
    const [start, tip] = [await push('main', 16), await push('main', 5)]
    const args = ['commit-tree', `${tip}^{tree}`, '-p', tip, '-p', topic, '-m', 'Merge topic']
    await host.git(full, 'update-ref', 'refs/heads/main', await host.git(full, ...WHO, ...args))
    expect(await pin({}, { full })).toMatchObject({ ref: 'main', baseCommit: start })
    expect(await pin({ since: daysAgo(14).toISOString() }, { full })).toMatchObject({ baseCommit: start })
  })
  test('at a date that many commits follow', async () => {
    const full = 'acme/long'
    const at = (n: number) => new Date(now.getTime() - (130 - n) * 3_600_000)
    await host.createRepository(full, {
      commits: Array.from({ length: 130 }, (_, n) => ({ ...toCommit(n), at: at(n) })),
    })
    const long = (await host.git(full, 'rev-list', '--reverse', 'main')).split('\n')
    expect(await pin({ since: at(20).toISOString() }, { full })).toMatchObject({ baseCommit: long[19] })
  })
  test('50 commits ago at most, unless there is a start', async () => {
    const busy = (await host.git('acme/busy', 'rev-list', 'main')).split('\n')
    expect(await pin({}, { full: 'acme/busy' })).toMatchObject({ baseCommit: busy[50] })
    // A later job starts after this one, so that nothing may be missing here.
    for (const asked of [{}, { since: 'last-job' }]) {
      const pinned = await pin(asked, { full: 'acme/busy', lastRead: busy[69] ?? '' })
      expect(pinned).toMatchObject({ baseCommit: busy[69] })
    }
    expect(await pin({ since: busy[69] ?? '' }, { full: 'acme/busy' })).toMatchObject({ baseCommit: busy[69] })
  })
})

test('reads a branch, a tag or a commit', async () => {
  expect(await pin({ ref: 'v1' })).toMatchObject({ ref: 'v1', commit: at(40) })
  for (const ref of [at(40) ?? '', (at(40) ?? '').slice(0, 7)]) {
    expect(await pin({ ref })).toMatchObject({ ref: null, commit: at(40) })
  }
  // A branch whose name is the start of its commit.
  const first = (at(40) ?? '').slice(0, 1)
  await host.git(FULL, 'branch', first, at(40) ?? '')
  expect(await pin({ ref: first })).toMatchObject({ ref: first, commit: at(40) })
  expect(await pin({ ref: 'main', since: 'v1' })).toMatchObject({ ref: 'main', commit: at(5), baseCommit: at(40) })
})

describe('a commit of a fork, which the host serves for the repository', () => {
  const full = 'acme/forked'
  let own: string
  let stray: string
  const push = (branch: string, days: number) =>
    host.pushCommit(full, branch, { ...toCommit(days), files: new Map([[`${days}.ts`, { data: '' }]]) })
  beforeAll(async () => {
    await host.createRepository(full, { commits: [toCommit(90)] })
    stray = await push('gone', 30)
    await host.git(full, 'update-ref', '-d', 'refs/heads/gone')
    own = await push('main', 20)
  })

  test('is not read if a prompt selects it, by whatever name', async () => {
    await host.git(full, 'update-ref', 'refs/pull/9/head', stray)
    for (const ref of [stray, stray.slice(0, 12), 'refs/pull/9/head']) {
      const pinned = await pin({ ref, since: 'main', isGuess: true }, { full })
      expect(pinned).toMatchObject({ ref: 'main', commit: own, note: expect.stringMatching(/prompt .+ was not read/) })
    }
  })
  test('is read if the request selects it, with a note', async () => {
    const pinned = await pin({ ref: stray }, { full })
    expect(pinned).toMatchObject({ ref: null, commit: stray, note: expect.stringContaining('may be from a fork') })
  })
  test('is not the start of the changes, which is the last commit in common', async () => {
    const baseCommit = await host.git(full, 'rev-parse', 'main~1')
    const pinned = await pin({ since: stray, isGuess: true }, { full })
    expect(pinned).toMatchObject({ commit: own, baseCommit })
    expect(pinned).not.toHaveProperty('note')
  })
  test('is not one on the default branch, on the branch of the source, or at a branch or a tag', async () => {
    const [inside, tip, tagged] = [await push('release', 15), await push('release', 14), await push('tagged', 13)]
    await host.git(full, 'branch', 'annotated', tagged)
    const annotated = await push('annotated', 12)
    await host.git(full, ...WHO, 'tag', '-a', '-m', 'v2', 'v2', annotated)
    await host.git(full, 'tag', 'v1', tagged)
    for (const name of ['tagged', 'annotated']) await host.git(full, 'update-ref', '-d', `refs/heads/${name}`)
    const first = await host.git(full, 'rev-parse', 'main~1')
    for (const commit of [first, own, tip, tagged, annotated]) {
      const pinned = await pin({ ref: commit, isGuess: true }, { full })
      expect(pinned).toMatchObject({ commit })
      expect(pinned).not.toHaveProperty('note')
    }
    const later = await push('main', 11)
    own = await push('main', 10)
    for (const commit of [inside, later]) {
      expect(await pin({ ref: commit, isGuess: true }, { full, branch: 'release' })).toMatchObject({ commit })
    }
    expect(await pin({ ref: inside, isGuess: true }, { full })).toMatchObject({ commit: own })
  })
  test('is assumed if there is no history in common, or too many branches to list them', async () => {
    const orphan = await host.git(full, ...WHO, 'commit-tree', `${own}^{tree}`, '-m', 'Orphan')
    const isTip = () => Promise.reject(new GitHttpError('too_large', 'Too many branches.'))
    for (const mirrors of [deps.mirrors, { ...deps.mirrors, isTip }]) {
      const pinned = await pin({ ref: orphan, isGuess: true }, { full, mirrors })
      expect(pinned).toMatchObject({ commit: own, note: expect.stringContaining('was not read') })
      expect(await pin({ ref: stray }, { full, mirrors })).toMatchObject({ commit: stray, note: expect.any(String) })
    }
  })
  test('is read as the head of a pull request, with the name of the fork', async () => {
    const head = await push('topic', 10)
    const number = await openPull(full, 'topic')
    expect(await pin({ pullRequest: number, isGuess: true }, { full })).not.toHaveProperty('note')
    await host.moveToFork(full, number, 'mallory/forked')
    for (const isGuess of [true, false]) {
      expect(await pin({ pullRequest: number, isGuess }, { full })).toMatchObject({
        commit: head,
        note: `Head of pull request ${number}, from the fork mallory/forked.`,
      })
    }
    const pinned = await pin({ ref: head, isGuess: true }, { full })
    expect(pinned).toMatchObject({ commit: own, note: expect.stringContaining('was not read') })
  })
})

async function openPull(full: string, head: string): Promise<number> {
  const response = await fetch(`${host.apiUrl}/repos/${full}/pulls`, {
    method: 'POST',
    headers: { authorization: `Bearer ${host.token}`, 'user-agent': 'test', 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'Add xml', head, base: 'main' }),
  })
  return Number(Object(await response.json()).number)
}

test('a range that does not exist fails if the request contains it, and is ignored in a prompt', async () => {
  for (const asked of [{ ref: 'absent' }, { since: 'absent' }, { pullRequest: 4711 }]) {
    await expect(pin(asked)).rejects.toMatchObject({ code: 'not_found' })
    expect(await pin({ ...asked, isGuess: true })).toMatchObject({ ref: 'main', commit: at(5), baseCommit: at(20) })
  }
})

test('the log contains no range of a prompt', async () => {
  const lines: string[] = []
  const log = openLog({ level: 'info', secrets: [], destination: { write: (line) => lines.push(line) } })
  for (const asked of [{ ref: 'secret-plan' }, { since: 'secret-plan' }])
    await pin({ ...asked, isGuess: true }, { log })
  expect(lines).toHaveLength(2)
  expect(lines.join('')).toMatch(/"source":"api","code":"not_found"/)
  expect(lines.join('')).not.toContain('secret-plan')
})

test('asks the host for the visibility, which determines how the source is cited', async () => {
  expect(await pin()).toMatchObject({ visibility: 'private', cite: 'none' })
  host.makePublic('acme/busy')
  expect(await pin({}, { full: 'acme/busy' })).toMatchObject({ visibility: 'public', cite: 'links' })
})
