import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { CallModel } from '@corrigenda/agent/model'
import type { AgentSource } from '@corrigenda/agent/sources'
import { LostLeaseError } from '@corrigenda/core/base'
import { toRunSettings } from '@corrigenda/core/projects'
import { buildMemoryWorkspace } from '@corrigenda/git/internal/test-support/memory-workspace'
import { buildChecker } from '@corrigenda/site/checks'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import type { AgentHost, AgentTask } from './do-agent-work.ts'
import { type AgentThreadLimits, buildInlineAgentWork, openAgentThreads } from './open-agent-threads.ts'

/** The built module, because threads cannot load TypeScript. */
const built = new URL('../../dist/agent-work/agent-thread.js', import.meta.url)
/** A separate thread module for failures that real text cannot cause. */
let wild: URL
const folder = mkdtempSync(join(tmpdir(), 'agent-threads-'))

beforeAll(() => {
  const file = join(folder, 'wild.mjs')
  writeFileSync(
    file,
    `import { parentPort, workerData } from 'node:worker_threads'
parentPort.on('message', (message) => {
  if (message.kind === 'refusal') return parentPort.postMessage({ kind: 'failed', error: message.error })
  if (message.kind === 'answer') return parentPort.postMessage({ kind: 'done', work: message.value })
  const word = message.task.prompt
  new TextEncoder().encodeInto('docs/' + word + '.md', workerData.current)
  if (word === 'hang') for (;;);
  if (word === 'grow') for (const all = []; ; ) all.push(new Array(1000).fill({}))
  if (word === 'throw') throw new Error('a bug')
  if (word === 'call') return parentPort.postMessage({ kind: 'call', id: 1, name: 'append', args: [] })
  if (word === 'wait') return
  if (word === 'env') return parentPort.postMessage({ kind: 'done', work: Object.keys(process.env) })
  parentPort.postMessage({ kind: 'done', work: word })
})
`,
  )
  wild = pathToFileURL(file)
})
afterAll(() => rmSync(folder, { recursive: true }))

const runProgram = async () => ({ kind: 'absent' }) as const
const task = (prompt: string): AgentTask => ({
  prompt,
  model: 'm-1',
  repository: { name: 'acme/docs', baseBranch: 'main' },
  settings: toRunSettings({}),
  policyFiles: [],
  budgets: { maxTurns: 20, maxInputTokens: 1e6, maxOutputTokens: 1e6, maxCostUsd: 9, maxSeconds: 900 },
  rows: [],
  modelOptions: {},
  extraInstructions: '',
  startedAt: new Date(),
  prices: {},
  modelsWithoutCostBudget: ['m-1'],
  knownSecrets: [],
  keepsPartialChanges: true,
})
const never = new AbortController().signal

function buildHost(changed: Partial<AgentHost> = {}): AgentHost {
  return {
    workspace: buildMemoryWorkspace({ 'a.md': '# A\n\n[b](b.md)\n', 'b.md': '# B\n' }),
    whole: null,
    sources: [],
    callModel: () => Promise.reject(new Error('not reached')),
    append: async () => {},
    listMessages: async () => [],
    describeSpentBudget: async () => null,
    log: async () => {},
    toolStarted: async () => {},
    toolEnded: async () => {},
    ...changed,
  }
}

function open(module: URL, limits: Partial<AgentThreadLimits> = {}) {
  const threads = openAgentThreads({ runProgram, module, limits })
  onTestFinished(threads.close)
  return (prompt: string, host = buildHost(), signal = never) => threads.run(task(prompt), host, signal)
}

/** A model that gives these replies in order. */
function scriptModel(...turns: [tool: string, input: object][]): CallModel {
  let turn = 0
  return async () => {
    const [name = 'finish', input = {}] = turns[turn] ?? []
    turn += 1
    return {
      content: [{ type: 'tool_use', id: `t${turn}`, name, input, caller: { type: 'direct' } }],
      stopReason: 'tool_use',
      refusalCategory: null,
      usage: { inputTokens: 10, outputTokens: 10, cacheReadTokens: 0, cacheWriteTokens: 0 },
      requestId: null,
    }
  }
}

it.each([
  ['hang', 'The text of docs/hang.md takes more than 0.3 seconds to read.', { busyMs: 300 }],
  ['grow', 'The text of docs/grow.md takes too much memory to read.', { heapMb: 32 }],
])('ends only the run whose text would %s, and names the file', async (word, message, limits) => {
  const run = open(wild, limits)
  const [bad, other] = await Promise.allSettled([run(word), run('fine')])
  expect(other).toEqual({ status: 'fulfilled', value: 'fine' })
  expect(bad).toMatchObject({ status: 'rejected', reason: { name: 'UnreadableContentError' } })
  expect(String(Object(bad).reason.message)).toContain(message)
  expect(await run('next')).toBe('next')
})

it('treats an unexpected end of the thread as an internal error', async () => {
  const run = open(wild)
  await expect(run('throw')).rejects.toMatchObject({ name: 'Error', message: 'a bug' })
})

it('passes on errors of the host unchanged, and ends when the run is aborted', async () => {
  const run = open(wild)
  const lost = new LostLeaseError('run_1')
  await expect(run('call', buildHost({ append: () => Promise.reject(lost) }))).rejects.toBe(lost)
  const control = new AbortController()
  const waiting = run('wait', buildHost(), control.signal)
  const reason = new Error('shutdown')
  control.abort(reason)
  await expect(waiting).rejects.toBe(reason)
})

it('gives the thread no environment variables', async () => {
  expect(await open(wild)('env')).toEqual([])
})

it('ends the run whose text would block a real thread', async () => {
  const run = open(built, { busyMs: 1_500 })
  // The host answers without end, so the thread computes without a call of the model.
  const list = async () =>
    Array.from({ length: 400_000 }, (_, n) => ({ path: `docs/${n}.md`, kind: 'file', executable: false }) as const)
  const slow = { ...buildMemoryWorkspace({}), list, listBase: list, find: async () => null }
  await expect(run('x', buildHost({ workspace: slow, callModel: scriptModel() }))).rejects.toMatchObject({
    name: 'UnreadableContentError',
  })
})

it('returns the same result as work in this thread, with edits, checks, and a source', async () => {
  const source: AgentSource = {
    name: 'api',
    repository: 'https://github.com/acme/api',
    commit: 'c'.repeat(40),
    description: 'acme/api, branch main',
    visibility: 'public',
    cite: 'links',
    quotable: [],
    listsChanges: true,
    workspace: buildMemoryWorkspace({ 'main.go': 'package main\n' }),
    recentChanges: async () => ({
      baseCommit: 'b'.repeat(40),
      commits: [],
      totalCommits: 0,
      files: [{ path: 'main.go', kind: 'modified' }],
      hasMoreFiles: false,
      openBase: async () => buildMemoryWorkspace({ 'main.go': 'package old\n' }),
    }),
  }
  const turns: [string, object][] = [
    ['view', { path: 'main.go', source: 'api' }],
    ['source_changes', { source: 'api', path: 'main.go' }],
    ['edit', { path: 'missing.md', old_str: 'a', new_str: 'b' }],
    ['edit', { path: 'a.md', old_str: '[b](b.md)', new_str: '[b](b.md) and ![](https://x.test/p.png)' }],
    ['check_docs', {}],
    ['finish', { outcome: 'changed', title: 'Add an image', body: 'Adds it.' }],
    ['finish', { outcome: 'changed', title: 'Add an image', body: 'Adds it.' }],
  ]
  const saved: unknown[][] = []
  const tools: string[][] = []
  const works = []
  for (const start of [
    open(built),
    (prompt: string, host: AgentHost) => buildInlineAgentWork(buildChecker())(task(prompt), host, never),
  ]) {
    const rows: unknown[] = []
    const names: string[] = []
    const host = buildHost({
      sources: [source],
      callModel: scriptModel(...turns),
      append: async (added) => void rows.push(...added),
      toolStarted: async (_call, tool) => void names.push(tool),
      toolEnded: async (_call, error) => void names.push(error ?? 'ok'),
    })
    works.push(await start('Add an image', host))
    saved.push(rows)
    tools.push(names)
  }
  expect(works[0]).toEqual(works[1])
  expect(works[0]).toMatchObject({
    fault: null,
    result: { kind: 'finished', outcome: 'changed', title: 'Add an image' },
    review: { changes: [{ path: 'a.md', kind: 'modified' }], flags: [{ kind: 'external_image', path: 'a.md' }] },
  })
  expect(saved[0]).toEqual(saved[1])
  expect(tools[0]).toEqual(tools[1])
  expect(tools[0]).toContain('ToolError')
})
