import { expect, test } from 'vitest'
import { buildRequest } from './test-support/build-request.ts'
import { checkAnswer } from './test-support/check-answer.ts'
import { openContractApi, type PathValues } from './test-support/open-contract-api.ts'
import { buildRandom } from './test-support/random.ts'

const COUNT = Number(process.env.FUZZ ?? 60)
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000_000)

test(`${COUNT} requests generated from the OpenAPI document receive documented responses (FUZZ, SEED)`, {
  timeout: 1_800_000,
}, async () => {
  console.log(`SEED=${SEED}`)
  const random = buildRandom(SEED)
  const api = await openContractApi()
  const values = new Map<string, PathValues>()
  const problems: string[] = []
  const statuses: Record<number, number> = {}
  for (let n = 0; n < COUNT && problems.length < 20; n += 1) {
    const call = random.pick(api.parsed.calls)
    // Objects are replaced from time to time, because most operations change their state.
    const known = random.chance(0.85) ? values.get(call.name) : undefined
    const at = known ?? (await api.makeValues(call))
    values.set(call.name, at)
    const sent = buildRequest(random, api, call, at)
    const response = await api.ask(sent)
    statuses[response.status] = (statuses[response.status] ?? 0) + 1
    const wrong = checkAnswer(api.parsed, call, response)
    if (wrong.length > 0) problems.push(`${call.name} ${JSON.stringify(sent).slice(0, 600)}: ${wrong.join('; ')}`)
  }
  console.log(JSON.stringify(statuses))
  expect(problems).toEqual([])
  expect(statuses[200]).toBeGreaterThan(COUNT / 10)
})
