import { test } from 'vitest'
import { buildRandom } from '../../chaos/plan/random.ts'
import { openAcme } from '../acme/open-acme.ts'
import { runQuietly } from '../acme/run-rounds.ts'
import { readForeignIds } from '../intruder/foreign-ids.ts'
import { openIntruder } from '../intruder/open-intruder.ts'
import { openOperator } from '../stack/open-account.ts'
import { openStack } from '../stack/open-stack.ts'
import { measureLatency } from './measure-latency.ts'

test('only', async () => {
  const stack = await openStack({ queue: 'postgres' })
  try {
    const operator = await openOperator(stack)
    const acme = await openAcme(stack, operator)
    await runQuietly(acme.rest, buildRandom(1))
    const intruder = await openIntruder({ stack, operator, random: buildRandom(2), acme })
    console.log((await measureLatency({ acme: acme.rest, intruder }, { windows: 4, seconds: 12 })).lines.join('\n'))
    void readForeignIds
  } finally {
    await stack.close()
  }
}, 500_000)
