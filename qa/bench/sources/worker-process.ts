import { once } from 'node:events'
import { buildFirstMessage } from '@corrigenda/agent/internal/loop/build-first-message'
import { restrictReading } from '@corrigenda/agent/internal/loop/restrict-reading'
import { describeSources } from '@corrigenda/agent/internal/sources/describe-sources'
import { ALL_TOOLS } from '@corrigenda/agent/internal/tools/all-tools'
import { findSourceLeaks } from '@corrigenda/agent/internal/tools/find-source-leaks'
import { NOT_FINISHED } from '@corrigenda/agent/internal/tools/finish-state'
import { buildPathPolicy } from '@corrigenda/agent/policy'
import type { AgentSource } from '@corrigenda/agent/sources'
import { toRepositoryAddress } from '@corrigenda/contracts'
import { openLog } from '@corrigenda/core/runtime'
import { openMirrors } from '@corrigenda/git/snapshot'
import { openWorkTree } from '@corrigenda/git/work-tree'
import { buildChecker } from '@corrigenda/site/checks'
import { buildGitHub } from '@corrigenda/worker/internal/git-host/github/build-github'
import { openSource } from '@corrigenda/worker/internal/sources/open-source'
import { pinSource } from '@corrigenda/worker/internal/sources/pin-source'
import type { SelectedSource } from '@corrigenda/worker/internal/sources/select-sources'
import { buildCode } from './build-code.ts'
import { measure, type Phase } from './measure.ts'
import type { WorkerPlan } from './worker-plan.ts'

/**
 * Opens a documentation repository and, if the plan contains one, a source, as a job does, and then
 * runs the tools and the guard. Sends each measured phase to the parent process. The parent answers
 * `move` after it has added a commit to the source.
 */
const plan: WorkerPlan = JSON.parse(process.argv[2] ?? '{}')
const signal = new AbortController().signal
const log = openLog({ level: 'silent', secrets: [] })
const adapter = buildGitHub({ apiUrl: plan.apiUrl, version: '0.0.0' })
const mirrors = await openMirrors({ cacheDir: plan.cacheDir, log, coldBuild: 'child' })
const deps = {
  log,
  mirrors,
  openGitHost: adapter.openGitHost,
  credentials: adapter.buildCredentials({ kind: 'token', token: plan.token }),
}
const opened: AsyncDisposable[] = []

await using snapshot = await mirrors.openSnapshot({
  tenant: 'bench',
  url: `${plan.docs}.git`,
  branch: null,
  token: plan.token,
  signal,
})
const workTree = await openWorkTree({ snapshot })

const source: SelectedSource | null = plan.source
  ? {
      name: 'code',
      repository: plan.source,
      ref: null,
      paths: [],
      visibility: 'private',
      cite: null,
      quotable: [],
      mayUseInstanceCredential: true,
      address: toRepositoryAddress(plan.source),
      asked: { isGuess: false },
      listsChanges: true,
    }
  : null

async function open(selected: SelectedSource): Promise<AgentSource> {
  const now = new Date()
  const pinned = await pinSource(deps, {
    projectId: 'bench',
    source: selected,
    own: null,
    findLastRead: async () => undefined,
    needsBase: true,
    now,
    signal,
  })
  const found = await openSource(
    deps,
    {
      projectId: 'bench',
      pinned,
      access: selected,
      listsChanges: true,
      workTree,
      now,
      signal,
    },
    (one) => opened.push(one),
  )
  const entries = await found.workspace.list()
  if (entries.length < 1000) throw new Error('The source has too few files.')
  return found
}

async function report<T>(name: string, work: () => Promise<T>): Promise<T> {
  const { phase, result } = await measure(name, work)
  process.send?.(phase satisfies Phase)
  return result
}

async function countFirstMessage(sources: readonly AgentSource[]): Promise<number> {
  const described = await describeSources(sources)
  const content = buildFirstMessage({
    prompt: 'Update the documentation for our recent pushes.',
    sites: '',
    instructions: [],
    messages: [],
    repository: { name: 'acme/docs', baseBranch: 'main' },
    sources: described,
    continuation: null,
  })
  return content.reduce((sum, { text }) => sum + text.length, 0)
}

let code = source && (await report('open', () => open(source)))
if (source === null || code === null) {
  const chars = await report('first message', () => countFirstMessage([]))
  process.send?.({ chars })
} else {
  for (let round = 0; round < plan.rounds; round += 1) {
    process.send?.('move')
    await once(process, 'message')
    code = await report('open again', () => open(source))
  }
  if (plan.usesTools) await runTools(code)
}
for (const one of opened) await one[Symbol.asyncDispose]()
await mirrors.close()
process.disconnect?.()

async function runTools(found: AgentSource): Promise<void> {
  const policy = buildPathPolicy()
  const checker = buildChecker()
  const context = {
    ...restrictReading({ workspace: workTree, checkDocs: checker.checkDocs, policy, sources: [found] }),
    repository: workTree,
    whole: workTree,
    pages: checker.pages,
    policy,
    knownSecrets: [],
    finish: NOT_FINISHED,
    reads: {},
    lastTurn: false,
  }
  const call = (name: string, input: object) =>
    report(`${name} ${JSON.stringify(input)}`, async () => {
      const tool = ALL_TOOLS.find((one) => one.name === name)
      return await tool?.call(context, { ...input, source: 'code' })
    })
  const chars = await report('first message', () => countFirstMessage([found]))
  process.send?.({ chars })
  const range = await found.recentChanges()
  await call('list_files', {})
  await call('search', { query: 'settleInvoice3' })
  await call('search', { query: 'no such text' })
  await call('search', { query: 'retries: [7-9] ', mode: 'regex' })
  await call('source_changes', {})
  await call('source_changes', { path: range?.files.find(({ kind }) => kind === 'modified')?.path })
  await call('source_changes', { path: range?.files.findLast(({ kind }) => kind === 'modified')?.path })
  for (let page = 0; page < 20; page += 1) await workTree.write(`docs/new-${page}.md`, Buffer.from(buildPage(page)))
  const input = {
    repository: workTree,
    sources: [found],
    title: 'Document the settlement limits',
    body: 'Describes the limits.',
    evidence: [],
    reads: {},
  }
  for (const name of ['guard', 'guard, second call']) {
    const leaks = await report(name, () => findSourceLeaks(input))
    if (leaks.length > 0) throw new Error(`The guard refused the change: ${JSON.stringify(leaks)}`)
  }
  await workTree.write('docs/new-0.md', Buffer.from(buildCode(19_999).slice(0, 3_000)))
  const leaks = await report('guard, changed page', () => findSourceLeaks(input))
  if (leaks.length === 0) throw new Error('The guard did not find the copied text.')
}

/** A page of about 8 kB with names, values, and host names as a reference has. */
function buildPage(page: number): string {
  const rows = Array.from(
    { length: 40 },
    (_, n) =>
      `| \`limit_${page}_${n}\` | number | Requests to https://api-${page}.example.com/v1/x${n}a9f${page}c7 fail with \`E${page}${n}AB12x\` above it. |`,
  )
  const text = Array.from(
    { length: 20 },
    (_, n) => `Page ${page} describes step ${n}: set the option before the report closes, and read the result.\n`,
  )
  return `---\ntitle: Page ${page}\n---\n\n${text.join('\n')}\n| Name | Type | Description |\n| --- | --- | --- |\n${rows.join('\n')}\n`
}
