import { localProfile, startBedrockFront } from '@corrigenda/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectRow } from './test-support/expect-row.ts'
import { toScenario } from './test-support/fault-row.ts'
import { type FaultHarness, openFaultHarness, type RowResult } from './test-support/open-fault-harness.ts'
import { readShapes, type Shape } from './test-support/read-shapes.ts'
import { EDIT, VIEW } from './test-support/row-script.ts'
import { type ShapeFront, startShapeFront } from './test-support/start-shape-front.ts'

const KEYS = { id: 'AKIDEXAMPLE', secret: 'a-secret-key-of-the-tests', region: 'eu-central-1', sessionToken: null }
const BEDROCK_KEY = 'bedrock-api-key-0123456789'

const FINISH = { outcome: 'changed', title: 'Change page one', body: 'As requested.' }
const TURNS = [VIEW, EDIT, [{ tool: 'finish', input: FINISH }]]

const shapes = readShapes()
/** The short form of the campaign runs every fourth shape. */
const selected = shapes.filter((_, n) => n % (process.env.QA_SHORT ? 4 : 1) === 0)

/** A whole job per shape: database, model calls, push, pull request. */
describe.each(['sse', 'bedrock'] as const)('shapes of replies (%s)', (wire) => {
  const own = selected.filter(({ id }) => id.startsWith('bedrock-') === (wire === 'bedrock'))
  let front: ShapeFront
  let harness: FaultHarness
  let closeStrict = async () => {}
  const results = new Map<string, Promise<RowResult>>()
  const passed: string[] = []
  let started = 0

  beforeAll(async () => {
    started = Date.now()
    front = await startShapeFront(own, wire)
    const platform = {
      kind: 'bedrock',
      region: KEYS.region,
      baseUrl: front.url,
      apiKey: BEDROCK_KEY,
      keys: null,
    } as const
    const anthropic = { baseUrl: front.url, ...(wire === 'bedrock' ? { platform } : {}) }
    harness = await openFaultHarness('postgres', { anthropic, modelProfile: localProfile(), concurrency: 8 })
    if (wire === 'bedrock') {
      const strict = await startBedrockFront({ api: harness.service.model, keys: KEYS, apiKey: BEDROCK_KEY })
      closeStrict = strict.close
      front.forwardTo(strict.url)
    } else front.forwardTo(harness.service.model.url)
    for (const shape of own) {
      const result = harness.run(toRow(shape))
      // The shape's test reports the error.
      result.catch(() => {})
      results.set(shape.id, result)
    }
  })
  afterAll(async () => {
    const seconds = Math.round((Date.now() - started) / 1000)
    console.log(`${wire}: ${passed.length} of ${own.length} shapes of replies as expected, in ${seconds} s`)
    await harness.close()
    await closeStrict()
    await front.close()
  })

  test.each(own.map((shape) => [shape.id, shape.service, shape.title, shape] as const))(
    '%s: %s, %s',
    async (id, _, __, shape) => {
      const result = await results.get(id)
      if (result === undefined) throw new Error('The job was not started.')
      const { job, full } = result
      if (shape.code === null) expect(job.failure).toBeNull()
      await expectRow(harness.service, result)
      expect(front.calls.get(id)).toBe(shape.calls)
      expect(job.failure?.message ?? '').toContain(shape.message)
      expect(job.usage.inputTokens).toBeGreaterThanOrEqual(shape.tokens)
      if (shape.code === null) {
        const diff = await harness.service.host.git(full, 'diff', '--name-status', `main...corrigenda/${job.id}`)
        expect(diff).toBe('M\tpage-1.mdx')
      }
      passed.push(id)
    },
  )

  test('sends no request that the strict server refuses', async () => {
    await Promise.all(results.values())
    expect(harness.service.model.rejected()).toEqual([])
  })
})

test('there are at least 40 shapes', () => {
  expect(shapes.length).toBeGreaterThanOrEqual(40)
})

function toRow({ id, code }: Shape) {
  const retries = code === 'model_unavailable' ? [5, 10, 20, 40] : []
  return toScenario({ id, turns: TURNS.map((turn) => [...turn]), expect: { code, retries } })
}
