import { buildMemoryWorkspace } from '@corrigenda/git/internal/test-support/memory-workspace'
import { readSiteFixtures } from '@corrigenda/testkit'
import { describe, expect, it } from 'vitest'
import { buildChecker } from './build-checker.ts'
import { type Defect, listDefects } from './test-support/inject-defects.ts'

/** Maximum number of locations per defect kind and fixture. DEFECTS=1000 tests all of them. */
const PLACES = Number(process.env.DEFECTS ?? 1)
const SEED = Number(process.env.SEED ?? 20261121)

const fixtures = Object.entries(readSiteFixtures())
const { checkDocs } = buildChecker()

describe('the checker on the fixtures for all frameworks', () => {
  it.each(fixtures)('%s: reports no issues without changes', async (_, files) => {
    const results = await checkDocs({ workspace: buildMemoryWorkspace(files), scope: 'all' })
    expect(results.flatMap((result) => result.findings)).toEqual([])
  })

  it('reports at least 98% of injected defects', async () => {
    const random = buildRandom(SEED)
    const rows = new Map<string, { tried: number; caught: number }>()
    const missed: string[] = []
    for (const [framework, files] of fixtures) {
      const workspace = buildMemoryWorkspace(files)
      const clean = workspace.snapshot()
      for (const defect of pick(await listDefects(files), random)) {
        workspace.restore(clean)
        await defect.apply(workspace)
        const results = await checkDocs({ workspace, scope: 'changed' })
        const caught = results.some(
          ({ name, introduced }) => introduced > 0 && defect.expected.some((check) => check === name),
        )
        const row = rows.get(`${framework} | ${defect.kind}`) ?? { tried: 0, caught: 0 }
        rows.set(`${framework} | ${defect.kind}`, { tried: row.tried + 1, caught: row.caught + (caught ? 1 : 0) })
        if (!caught) missed.push(`${framework}: ${defect.kind} at ${defect.place}`)
      }
    }
    const tried = [...rows.values()].reduce((sum, row) => sum + row.tried, 0)
    const caught = tried - missed.length
    console.log(
      formatTable(
        rows,
        fixtures.map(([name]) => name),
      ),
    )
    console.log(`SEED=${SEED}: ${caught} of ${tried} defects found (${((100 * caught) / tried).toFixed(1)}%)`)
    if (missed.length > 0) console.log(`Missed:\n${missed.slice(0, 40).join('\n')}`)
    expect(tried).toBeGreaterThan(70)
    expect(caught / tried).toBeGreaterThanOrEqual(0.98)
  }, 480_000)
})

/** Returns at most PLACES random defects of each kind. */
function pick(defects: readonly Defect[], random: () => number): Defect[] {
  const byKind = new Map<string, Defect[]>()
  for (const defect of defects) byKind.set(defect.kind, [...(byKind.get(defect.kind) ?? []), defect])
  return [...byKind.values()].flatMap((same) => {
    const left = [...same]
    const taken: Defect[] = []
    while (left.length > 0 && taken.length < PLACES) taken.push(...left.splice(Math.floor(random() * left.length), 1))
    return taken
  })
}

function buildRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

function formatTable(
  rows: ReadonlyMap<string, { tried: number; caught: number }>,
  frameworks: readonly string[],
): string {
  const kinds = [...new Set([...rows.keys()].map((key) => key.split(' | ')[1] ?? ''))]
  const cell = (framework: string, kind: string) => {
    const row = rows.get(`${framework} | ${kind}`)
    return row === undefined ? '–' : `${row.caught}/${row.tried}`
  }
  const width = Math.max(...kinds.map((kind) => kind.length))
  return [
    `${''.padEnd(width)} ${frameworks.map((name) => name.padStart(10)).join(' ')}`,
    ...kinds.map(
      (kind) => `${kind.padEnd(width)} ${frameworks.map((name) => cell(name, kind).padStart(10)).join(' ')}`,
    ),
  ].join('\n')
}
