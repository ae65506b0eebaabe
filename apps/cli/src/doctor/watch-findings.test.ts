import { expect, test } from 'vitest'
import { type Finding, watchFindings } from './finding.ts'

const found = (subject: string, state: Finding['state'], text: string): Finding => ({ subject, state, text })

test('passes every finding once, then only those that change or disappear, until the signal', async () => {
  const rounds = [
    [found('Database', 'ok', 'up'), found('Workers', 'ok', '2 online')],
    [found('Database', 'ok', 'up'), found('Workers', 'ok', '2 online')],
    [found('Database', 'ok', 'up'), found('Workers', 'warning', 'none online')],
    [found('Database', 'problem', 'down')],
  ]
  const end = new AbortController()
  const changes: string[][] = []
  let round = 0
  const diagnose = async () => {
    const findings = rounds[round] ?? []
    round += 1
    return findings
  }
  const last = await watchFindings(diagnose, {
    everyMs: 1,
    signal: end.signal,
    onChange({ changed, gone }) {
      changes.push([
        ...changed.map(({ subject, state }) => `${subject} ${state}`),
        ...gone.map((one) => `-${one.subject}`),
      ])
      if (round === rounds.length) end.abort()
    },
  })
  expect(changes).toEqual([['Database ok', 'Workers ok'], [], ['Workers warning'], ['Database problem', '-Workers']])
  expect(last).toEqual(rounds.at(-1))
})
