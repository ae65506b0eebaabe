import type { BackendKind } from '@corrigenda/worker/internal/e2e/test-support/open-test-service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectNoSecret, expectRow } from './expect-row.ts'
import { type FaultRow, toScenario } from './fault-row.ts'
import { type FaultHarness, type HarnessOptions, openFaultHarness, type RowResult } from './open-fault-harness.ts'

/** The short form of the campaign runs every fourth row. */
const STEP = process.env.QA_SHORT ? 4 : 1

/**
 * Registers one test per row. All jobs are created before the first test and share one worker. Each
 * test waits for its job.
 */
export function runRows(
  title: string,
  kind: BackendKind,
  allRows: readonly FaultRow[],
  options: HarnessOptions = {},
): void {
  const rows = allRows.filter((_, n) => n % STEP === 0)
  describe(`${title} (${kind})`, () => {
    let harness: FaultHarness
    const results = new Map<string, Promise<RowResult>>()
    beforeAll(async () => {
      harness = await openFaultHarness(kind, options)
      for (const row of rows) {
        const result = harness.run(row)
        // The row's test reports the error.
        result.catch(() => {})
        results.set(row.id, result)
      }
    })
    afterAll(() => harness.close())

    test.each(rows.map((row) => [row.id, toTestTitle(row)] as const))(
      '%s: %s',
      async (id) => {
        const result = await results.get(id)
        if (result) await expectRow(harness.service, result)
      },
      600_000,
    )

    test('completes another job afterwards and does not log secrets', async () => {
      const row = toScenario({ id: `healthy-after-${kind}` })
      if (options.anthropic?.baseUrl === undefined) await expectRow(harness.service, await harness.run(row))
      const { host, model, lines } = harness.service
      expect(model.rejected()).toEqual([])
      expect(model.violations()).toEqual([])
      expect(host.stats()).toMatchObject({ duplicates: {}, forced: [], unknown: [] })
      const logged = lines.join('')
      expect(logged).not.toContain(host.token)
      expect(logged).not.toContain(model.key)
      const messages = await harness.service.database.prisma.job.findMany({ select: { failureMessage: true } })
      expectNoSecret(harness.service, JSON.stringify(messages))
    })
  })
}

function toTestTitle({ title, expect: { code } }: FaultRow): string {
  return code === null ? `completes when ${title}` : `fails with ${code} when ${title}`
}
