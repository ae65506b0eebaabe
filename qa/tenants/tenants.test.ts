import { expect, test } from 'vitest'
import { buildRandom } from '../chaos/plan/random.ts'
import { openAcme } from './acme/open-acme.ts'
import { readOptions } from './config.ts'
import { openIntruder } from './intruder/open-intruder.ts'
import { measureLatency } from './latency/measure-latency.ts'
import { runTenants } from './run-tenants.ts'
import { openOperator } from './stack/open-account.ts'
import { openStack } from './stack/open-stack.ts'

const MAX_SHOWN = 30
const HOUR_MS = 3_600_000
const { seed, actions, queue, part, latency } = readOptions()
const say = (line: string) => console.log(line)

test.skipIf(part === 'flood')(
  'the actions of one tenant do not affect another tenant',
  async () => {
    say(`seed ${seed} (repeat this walk with SEED=${seed}), ${actions} actions, queue on ${queue}`)
    const stack = await openStack({ queue })
    try {
      const { figures, violations } = await runTenants(stack, { seed, actions, say })
      say(JSON.stringify(figures, null, 2))
      const shown = violations.slice(0, MAX_SHOWN).map((violation) => `seed ${seed}: ${violation}`)
      expect(shown, `${violations.length} violations`).toEqual([])
    } finally {
      await stack.close()
    }
  },
  2 * HOUR_MS,
)

test.skipIf(part === 'walk')(
  'a flood of requests of one tenant does not delay another tenant',
  async () => {
    const stack = await openStack({ queue })
    try {
      const operator = await openOperator(stack)
      const acme = await openAcme(stack, operator)
      const random = buildRandom(seed).fork('intruder')
      const intruder = await openIntruder({ stack, operator, random, acme })
      const { ratios, lines, violations } = await measureLatency({ acme: acme.rest, intruder }, latency)
      say(lines.join('\n'))
      expect(violations).toEqual([])
      expect(Math.max(...Object.values(ratios)), 'p99 ratio').toBeLessThan(latency.maxRatio)
    } finally {
      await stack.close()
    }
  },
  HOUR_MS,
)
