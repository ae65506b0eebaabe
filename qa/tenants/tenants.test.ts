import { expect, test } from 'vitest'
import { readOptions } from './config.ts'
import { measureLatency } from './latency/measure-latency.ts'
import { runTenants } from './run-tenants.ts'
import { openStack } from './stack/open-stack.ts'

const MAX_SHOWN = 30

test('the actions of one tenant do not affect another tenant', async () => {
  const { seed, actions, queue, latency } = readOptions()
  const say = (line: string) => console.log(line)
  say(`seed ${seed} (repeat this walk with SEED=${seed}), ${actions} actions, queue on ${queue}`)
  const stack = await openStack({ queue })
  try {
    const { figures, violations, acme, intruder } = await runTenants(stack, { seed, actions, say })
    say(JSON.stringify(figures, null, 2))
    const shown = violations.slice(0, MAX_SHOWN).map((violation) => `seed ${seed}: ${violation}`)
    expect(shown, `${violations.length} violations`).toEqual([])

    const measured = await measureLatency({ acme: acme.rest, intruder }, latency)
    say(measured.lines.join('\n'))
    expect(measured.violations).toEqual([])
    expect(Math.max(...Object.values(measured.ratios)), 'p99 ratio').toBeLessThan(latency.maxRatio)
  } finally {
    await stack.close()
  }
}, 3_600_000)
