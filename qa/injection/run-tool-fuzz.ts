import { mkdtemp, readdir, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type Anthropic from '@anthropic-ai/sdk'
import { runTools } from '@corrigenda/agent/internal/loop/run-tools'
import { ALL_TOOLS } from '@corrigenda/agent/internal/tools/all-tools'
import { findViolations } from '@corrigenda/agent/internal/tools/find-violations'
import { NOT_FINISHED } from '@corrigenda/agent/internal/tools/finish-state'
import type { ToolContext } from '@corrigenda/agent/internal/tools/tool'
import { buildPathPolicy } from '@corrigenda/agent/policy'
import { openMirrors } from '@corrigenda/git/snapshot'
import { openWorkTree, type WorkTree } from '@corrigenda/git/work-tree'
import { buildChecker } from '@corrigenda/site/checks'
import { startGitHost } from '@corrigenda/testkit'
import { buildFuzzInput, buildRandom } from './fuzz-input.ts'
import { type FuzzSources, openFuzzSources, SOURCE_PATHS } from './fuzz-sources.ts'
import { watchSources } from './watch-sources.ts'

interface ToolFuzzReport {
  readonly seed: number
  readonly calls: number
  /** Number of calls that succeeded. */
  readonly worked: number
  /** At most 20 violations, such as an escape, a crash, or a result that reveals too much. */
  readonly findings: readonly string[]
  /** Maximum CPU time of one call, in milliseconds. */
  readonly slowestMs: number
  readonly slowest: string
}

const FULL = 'acme/docs'
const CALLS_PER_TREE = 250
const MAX_RESULT_CHARS = 40_100
const SECRET = 'SECRET-OUTSIDE-THE-TREE'
const FILES: Readonly<Record<string, readonly [data: string, mode?: '100755' | '120000' | '160000']>> = {
  'a.md': ['# A\n\ntext\n'],
  'guides/b.mdx': ['---\ntitle: B\n---\n\ntext\r\n'],
  'docs.json': ['{"navigation":{"pages":["a"]}}\n'],
  'mkdocs.yml': ['nav:\n  - a.md\n'],
  'AGENTS.md': ['rules\n'],
  'package.json': ['{}\n'],
  '.github/workflows/x.yml': ['on: push\n'],
  'run.md': ['run\n', '100755'],
  'logo.png': ['\u0000PNG'],
  'link.md': ['../../etc/passwd', '120000'],
  up: ['..', '120000'],
  sub: ['1'.repeat(40), '160000'],
  '.gitattributes': ['lfs.md filter=lfs diff=lfs -text\n'],
  'lfs.md': [`version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 12345\n`],
}
const READ_ONLY = [
  'link.md',
  'up',
  'sub',
  'lfs.md',
  'AGENTS.md',
  'package.json',
  '.github/workflows/x.yml',
  '.gitattributes',
]

/**
 * Makes random and hostile calls to all tools in a work tree of a real repository, with sources. The
 * same seed gives the same calls.
 */
export async function runToolFuzz({ count, seed }: { count: number; seed: number }): Promise<ToolFuzzReport> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'corrigenda-fuzz-'))
  const host = await startGitHost({ root: path.join(dir, 'host') })
  const silent = { info: () => undefined, warn: () => undefined }
  const mirrors = await openMirrors({ cacheDir: path.join(dir, 'cache'), log: silent, coldBuild: 'inline' })
  try {
    const files = new Map(
      Object.entries(FILES).map(([file, [data, mode = '100644' as const]]) => [file, { data, mode }]),
    )
    await host.createRepository(FULL, { commits: [{ message: 'docs: start', files }] })
    const source = { tenant: 'fuzz', url: `${host.repositoryUrl(FULL)}.git`, branch: null, commit: undefined }
    await using snapshot = await mirrors.openSnapshot({
      ...source,
      token: host.token,
      signal: new AbortController().signal,
    })
    await using sources = await openFuzzSources(host, mirrors, FULL)
    // Downloads everything that the calls can read.
    for (const source of await sources.open(await openWorkTree({ snapshot }))) {
      await (await source.recentChanges())?.openBase()
    }
    const outside = await listAll(dir)
    const report = await callTools({ count, seed, sources, openTree: () => openWorkTree({ snapshot }) })
    const written = (await listAll(dir)).filter((file) => !outside.includes(file))
    return {
      ...report,
      findings: [...report.findings, ...written.map((file) => `file written outside the cache: ${file}`)].slice(0, 20),
    }
  } finally {
    await mirrors.close()
    await host.close()
    await rm(dir, { recursive: true, force: true })
  }
}

interface CallInput {
  readonly count: number
  readonly seed: number
  readonly openTree: () => Promise<WorkTree>
  readonly sources: FuzzSources
  /** Commit of the work trees. */
}

async function callTools({ count, seed, openTree, sources }: CallInput): Promise<ToolFuzzReport> {
  const random = buildRandom(seed)
  const policy = buildPathPolicy()
  const findings: string[] = []
  let [worked, slowestMs, slowest] = [0, 0, '']
  let tree = await openTree()
  let opened = await sources.open(tree)
  let watch = await watchSources(opened)
  const checker = buildChecker()
  for (let call = 0; call < count && findings.length < 20; call += 1) {
    if (call % CALLS_PER_TREE === 0) {
      findings.push(...(await watch.findFaults()).map((fault) => `${fault} before call ${call}`))
      tree = await openTree()
      opened = await sources.open(tree)
      watch = await watchSources(opened)
    }
    const tool = ALL_TOOLS[Math.floor(random() * ALL_TOOLS.length)]
    if (tool === undefined) continue
    const paths = [...Object.keys(FILES), ...SOURCE_PATHS, ...tree.overlay().map((entry) => entry.path)]
    const input = buildFuzzInput(random, [...new Set([...Object.keys(tool.schema.shape), 'source'])], paths)
    const shown = `call ${call}: ${tool.name} ${JSON.stringify(input)?.slice(0, 300)}`
    const context: ToolContext = {
      workspace: tree,
      repository: tree,
      whole: tree,
      checkDocs: checker.checkDocs,
      pages: checker.pages,
      policy,
      sources: opened,
      reads: watch.reads,
      knownSecrets: [SECRET],
      finish: NOT_FINISHED,
      lastTurn: random() < 0.1,
    }
    const block = { type: 'tool_use', id: `toolu_${call}`, name: tool.name, input } as Anthropic.ToolUseBlock
    const onFault = (error: unknown) => findings.push(`crash in ${shown}: ${String(error).slice(0, 200)}`)
    const started = process.cpuUsage()
    const [outcome] = await runTools({
      tools: ALL_TOOLS,
      context,
      calls: [block],
      signal: new AbortController().signal,
      onFault,
    })
    const { user, system } = process.cpuUsage(started)
    if ((user + system) / 1000 > slowestMs) [slowestMs, slowest] = [(user + system) / 1000, shown]
    if (outcome === undefined) continue
    if (!outcome.isError) worked += 1
    const { text, isError } = outcome
    const wrong = findWrongText(text) ?? watch.add({ name: tool.name, input, text, isError })
    if (wrong !== null) findings.push(`${wrong} from ${shown}`)
    findings.push(...(await findEscapes(tree, context)).map((found) => `${found} after ${shown}`))
  }
  findings.push(...(await watch.findFaults()).map((fault) => `${fault} at the end`))
  return { seed, calls: count, worked, findings: findings.slice(0, 20), slowestMs, slowest }
}

function findWrongText(text: string): string | null {
  if (text.length > MAX_RESULT_CHARS) return 'oversized result'
  if (text.trim() === '' || !text.isWellFormed()) return 'blank or ill-formed result'
  if (/\n\s+at \S+ \(|root:x:0:0/.test(text) || text.includes(process.cwd()) || text.includes(os.tmpdir() + path.sep)) {
    return 'result that reveals data about the machine'
  }
  return null
}

/** Finds files that an overlay must not contain, using rules that are independent of the policy. */
async function findEscapes(tree: WorkTree, context: ToolContext): Promise<string[]> {
  const escapes = tree.overlay().flatMap(({ path: file }) => {
    const names = file.normalize('NFKC').toLowerCase().split('/')
    const bad =
      !/\.(md|mdx|markdown|rst|adoc|txt|json|ya?ml|png|jpe?g|gif|webp|avif|ico|bmp|svg)$/.test(names.at(-1) ?? '') ||
      names.some((name) => /^$|^\s*\.|^git~\d|[\\:]|[\p{Cc}\p{Cf}]|[. ]$/u.test(name)) ||
      READ_ONLY.includes(file)
    return bad ? [`escape to ${JSON.stringify(file)}`] : []
  })
  // A moved file keeps its mode. If it is executable, the change must be rejected.
  const executable = tree
    .overlay()
    .some((entry) => entry.mode === '100755' && entry.content !== null && entry.path !== 'run.md')
  if (!executable) return escapes
  const violations = await findViolations(context, null, '')
  return violations.some(({ code }) => code === 'executable_added') ? escapes : [...escapes, 'executable file']
}

async function listAll(dir: string): Promise<string[]> {
  return (await readdir(dir, { recursive: true }))
    .filter((file) => !file.startsWith(path.join('host', '.git-host')))
    .sort()
}
