import { parseArgs } from 'node:util'
import { openWorkTree, type WorkTree } from '@corrigenda/git/work-tree'
import { buildChecker } from '@corrigenda/site/checks'
import { readPage } from '@corrigenda/site/internal/pages/read-page'
import { applyMove, planMove } from '@corrigenda/site/move'
import { openCheckThread } from '@corrigenda/site/thread'
import { buildDocs, type DocsFile } from './build-docs.ts'
import { buildMeter, type Measurement } from './build-meter.ts'
import { openBenchMirror } from './open-bench-mirror.ts'
import { readCommit } from './read-commit.ts'

/**
 * Measures the documentation checks as a worker runs them, on a generated site of 1,100 pages or on
 * a commit of a local clone. Also measures how long the parser takes for every page, and prints the
 * other CPU times as a share of it, so that results of different machines can be compared.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { pages: { type: 'string', default: '1100' }, edits: { type: 'string', default: '50' } },
})
const [folder, commit = 'HEAD'] = positionals
const files = folder === undefined ? buildDocs(Number(values.pages)) : await readCommit(folder, commit)
const mirror = await openBenchMirror(files)
const thread = openCheckThread()
const measure = buildMeter()
try {
  await run(files.filter(({ path }) => /\.mdx?$/.test(path)))
} finally {
  await thread.close()
  await mirror.close()
}

async function run(pages: readonly DocsFile[]): Promise<void> {
  const mib = pages.reduce((sum, { bytes }) => sum + bytes.length, 0) / 1024 / 1024
  console.log(`${folder ?? 'generated site'}: ${pages.length} pages, ${mib.toFixed(1)} MiB\n`)
  const rows: [string, Measurement][] = []
  const checker = buildChecker({ runner: thread })
  await using snapshot = await mirror.openSnapshot()
  const open = await measure(() => openWorkTree({ snapshot }))
  const tree = open.value
  rows.push(['open the work tree', open])
  const edits = Number(values.edits)
  const pick = (n: number) => pages[(n * 977 + 13) % pages.length]?.path ?? ''
  const edit = (target: WorkTree, n: number) => measure(() => editAndCheck(target, pick(n), n))
  rows.push(['first edit and its check', await edit(tree, 0)])
  const later: Measurement[] = []
  for (let n = 1; n <= edits; n += 1) later.push(await edit(tree, n))
  rows.push(
    [`edit and check, median of ${edits}`, quantile(later, 0.5)],
    ['edit and check, p95', quantile(later, 0.95)],
  )
  const moves: Measurement[] = []
  for (let n = 1; n <= 5; n += 1) moves.push(await measure(() => moveAndCheck(tree, pick(edits + n))))
  rows.push(['move and check, median of 5', quantile(moves, 0.5)], ['move and check, slowest', quantile(moves, 1)])
  rows.push(['check of all pages', await measure(() => checker.checkDocs({ workspace: tree, scope: 'all' }))])
  await using nextSnapshot = await mirror.openSnapshot()
  const next = await openWorkTree({ snapshot: nextSnapshot })
  rows.push(['next job: first edit and its check', await edit(next, edits + 10)])
  rows.push(['next job: check of all pages', await measure(() => checker.checkDocs({ workspace: next, scope: 'all' }))])
  const rss = process.resourceUsage().maxRSS / 1024
  await thread.close()
  const parse = await measure(async () => {
    for (const { bytes, path } of pages) readPage(bytes, path.endsWith('x') ? 'mdx' : 'plain')
  })
  for (const [name, row] of rows) print(name, row, parse)
  print('parser only, every page', { ...parse, blockMs: 0 }, parse)
  console.log(`\npeak memory (RSS): ${rss.toFixed(0)} MiB`)

  async function editAndCheck(target: WorkTree, path: string, n: number): Promise<void> {
    const text = Buffer.from(await target.read(path)).toString()
    await target.write(path, Buffer.from(`${text}\nA new line ${n} with a [link](./no-such-page-${n}).\n`))
    await checker.checkDocs({ workspace: target, scope: 'changed' })
  }

  async function moveAndCheck(target: WorkTree, path: string): Promise<void> {
    const moves = new Map([[path, path.replace(/([^/]+)(\.\w+)$/, 'moved-$1$2')]])
    const plan = await planMove(target, moves, () => null, checker.pages)
    await applyMove(target, moves, plan.writes)
    await checker.checkDocs({ workspace: target, scope: 'changed' })
  }
}

function quantile(all: readonly Measurement[], share: number): Measurement {
  const at = (values: readonly number[]) =>
    values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0
  return {
    cpuMs: at(all.map(({ cpuMs }) => cpuMs)),
    wallMs: at(all.map(({ wallMs }) => wallMs)),
    blockMs: Math.max(...all.map(({ blockMs }) => blockMs)),
  }
}

function print(name: string, { cpuMs, wallMs, blockMs }: Measurement, parse: Measurement): void {
  const share = ((cpuMs / parse.cpuMs) * 100).toFixed(1)
  console.log(
    `${name.padEnd(36)} ${cpuMs.toFixed(0).padStart(7)} ms CPU (${share.padStart(5)} %) ${wallMs.toFixed(0).padStart(7)} ms wall, longest block ${blockMs.toFixed(0).padStart(4)} ms`,
  )
}
