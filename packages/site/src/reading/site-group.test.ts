import { buildMemoryWorkspace } from '@corrigenda/git/internal/test-support/memory-workspace'
import { readSiteFixtures } from '@corrigenda/testkit'
import { expect, it } from 'vitest'
import { buildChecker } from '../checks/build-checker.ts'
import { findSite } from '../frameworks/find-site.ts'
import { toDialect } from '../links/to-dialect.ts'
import { readRepository } from '../move/read-repository.ts'
import { readPage } from '../pages/read-page.ts'
import { scanPage } from '../pages/scan-page.ts'
import { buildRandom, SEED } from '../test-support/build-random.ts'
import { buildInlineRunner } from '../thread/build-inline-runner.ts'
import { findLinkProblems, findScannedProblems } from './find-link-problems.ts'
import { countReading, estimateCounts, isSuspect, type PageCounts } from './site-group.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 1)

/** Links that lead nowhere, and code, most of which only looks like code without a parser. */
const FRAGMENTS = [
  '[a](/nowhere)',
  '[a](/nowhere)',
  '![a](./gone.png)',
  '[r]: ./gone.md',
  '<a href="/nowhere">x</a>',
  '[a](./b.md)',
  '`',
  '``',
  '```\n',
  '~~~\n',
  '    ',
  '<!-- ',
  ' -->',
  '\n',
  '\n\n',
  '> ',
  '- ',
  '| a |\n| - |\n',
  '<div>\n',
  '{/* ',
]

/** Returns the counts and problems that are outside the bounds. */
function listOutside(estimate: PageCounts, real: PageCounts): string[] {
  const keys = ['links', 'images', 'doubtful', 'broken'] as const
  const outside = keys.filter((key) => estimate.least[key] > real.least[key] || estimate.most[key] < real.most[key])
  const left = new Map<string, number>()
  const toKey = ({ problem }: PageCounts['problems'][number]) => `${problem.code} ${problem.subject}`
  for (const one of estimate.problems) left.set(toKey(one), (left.get(toKey(one)) ?? 0) + one.times)
  for (const one of real.problems) left.set(toKey(one), (left.get(toKey(one)) ?? 0) - one.times)
  const missed = [...left].flatMap(([key, count]) => (count < 0 ? [key] : []))
  return [...outside, ...missed, ...[...real.areas].filter((area) => !estimate.areas.has(area))]
}

it.each(Object.entries(readSiteFixtures()))(
  `%s: the bounds of scanned pages contain the counts of the parsed pages (SEED=${SEED})`,
  async (_, files) => {
    const { index, sites } = await readRepository(buildMemoryWorkspace(files))
    const random = buildRandom(SEED)
    for (const [path, text] of Object.entries(files)) {
      const dialect = toDialect(path, findSite(sites, path))
      if (dialect === null || typeof text !== 'string') continue
      for (let round = 0; round < ROUNDS; round += 1) {
        const part = () => Array.from({ length: random.below(9) }, () => random.pick(FRAGMENTS)).join('')
        const at = random.below(text.length)
        const bytes = new TextEncoder().encode(`${text.slice(0, at)}${part()}${text.slice(at)}\n\n${part()}`)
        const content = readPage(bytes, dialect)
        const side = {
          index,
          contentOf: () => undefined,
          componentOf: () => undefined,
          anchorsOf: () => new Set<string>(),
        }
        const real = countReading(findLinkProblems(side, path, content))
        const scan = scanPage(bytes)
        const reading = findScannedProblems(index, path, scan)
        if (!isSuspect(reading)) expect([real.most.broken, real.most.doubtful, real.areas.size]).toEqual([0, 0, 0])
        expect(listOutside(estimateCounts(reading, scan), real), new TextDecoder().decode(bytes)).toEqual([])
      }
    }
  },
)

it('a page is parsed only if it can change how reliable a new problem is', async () => {
  const run = async (pages: number, dead: number) => {
    const code = (n: number) => `\`\`\`md\n[x](/made/${n})\n\`\`\`\n${'[a](/a)\n'.repeat(40)}`
    const links = (n: number) => (n < dead ? `[x](/made/${n})\n` : '')
    const made = Array.from({ length: pages }, (_, n) => [`docs/p${n}.mdx`, `${code(n)}${links(n)}`])
    const files = {
      'docs/docs.json': '{"navigation":{"pages":["a"]}}',
      'docs/a.mdx': '# A\n',
      ...Object.fromEntries(made),
    }
    const workspace = buildMemoryWorkspace(files)
    await workspace.write('docs/a.mdx', new TextEncoder().encode('[x](/made/y)\n'))
    let parsed = 0
    const runner = buildInlineRunner()
    const counting: typeof runner = {
      run: (task, lane) => {
        if (task.kind === 'page') parsed += 1
        return runner.run(task, lane)
      },
    }
    const results = await buildChecker({ runner: counting }).checkDocs({ workspace, scope: 'changed' })
    const [finding] = results.find(({ name }) => name === 'links')?.findings ?? []
    return { parsed, advisory: finding?.advisory === true }
  }
  // The page itself before and after the change. Nine pages are too few to be a cause.
  expect(await run(9, 0)).toEqual({ parsed: 2, advisory: false })
  // Eight pages are parsed, after which too few pages are left.
  expect(await run(12, 0)).toEqual({ parsed: 2 + 8, advisory: false })
  expect(await run(12, 12)).toEqual({ parsed: 2 + 12, advisory: true })
})

it('equal links that only look like code are counted separately', async () => {
  const text = 'Text\n    ```\n[x](gone.md) [x](gone.md) [x](gone.md)\n'
  const { index } = await readRepository(buildMemoryWorkspace({ 'a.md': text }))
  const bytes = new TextEncoder().encode(text)
  const side = { index, contentOf: () => undefined, componentOf: () => undefined, anchorsOf: () => new Set<string>() }
  const real = countReading(findLinkProblems(side, 'a.md', readPage(bytes, 'plain')))
  expect(real.most.broken).toBe(3)
  const scan = scanPage(bytes)
  expect(estimateCounts(findScannedProblems(index, 'a.md', scan), scan).most.broken).toBe(3)
})
