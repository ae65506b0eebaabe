import { buildInlineRunner } from '@corrigenda/site/internal/thread/build-inline-runner'
import { expect, it } from 'vitest'
import { readSites } from './corpus/read-sites.ts'
import { runSites } from './run-sites.ts'

/** The short form of `pnpm qa sites`. Skips sites that npm cannot download and prints their number. */
it('measures the small sites of the corpus', async () => {
  const report = await runSites({
    records: readSites().filter(({ isSmall }) => isSmall === true),
    perKind: 1,
    edits: 1,
    seed: 1,
    parts: ['recall', 'moves', 'deletions', 'headings'],
    runner: buildInlineRunner(),
    print: () => undefined,
  })
  const skipped = Object.entries(report.skipped)
  if (skipped.length > 0)
    console.log(`${skipped.length} sites skipped: ${skipped.map(([id, why]) => `${id}: ${why}`).join('; ')}`)
  expect(report.failures).toEqual({})
}, 300_000)
