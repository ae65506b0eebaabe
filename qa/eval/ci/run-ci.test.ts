import { describe, expect, it } from 'vitest'
import { SITES } from '../sites/all-sites.ts'
import type { Task } from '../task/task.ts'
import { ALL_TASKS } from '../tasks/all-tasks.ts'
import { runCi } from './run-ci.ts'

const never = new AbortController().signal
/**
 * Runs, each day, a different tenth of the wrong solutions and two other tenths of the gold
 * solutions. EVAL_SHARE selects a tenth (0 to 9) or all solutions (`all`).
 */
const SHARES = 10
const share = process.env.EVAL_SHARE ?? String(Math.floor(Date.now() / 86_400_000) % SHARES)

const first = ALL_TASKS[0] as Task
const NOTHING = { steps: [], ending: { outcome: 'no_change' as const, reason: 'Nothing to do.' } }

describe('replays through the real loop', () => {
  it(`all correct answers pass and all wrong answers fail (share ${share})`, async () => {
    const seen = { gold: 0, wrong: 0 }
    const wants = ({ what }: { what: string }) => {
      const kind = what === 'gold' ? 'gold' : 'wrong'
      seen[kind] += 1
      const period = kind === 'gold' ? SHARES / 2 : SHARES
      return share === 'all' || seen[kind] % period === Number(share) % period
    }
    const { replays, problems } = await runCi({ tasks: ALL_TASKS, sites: SITES, wants }, never)
    expect(problems).toEqual([])
    const part = share === 'all' ? 1 : 0.2
    expect(replays.filter(({ shouldPass }) => shouldPass).length).toBeGreaterThanOrEqual(
      Math.floor(ALL_TASKS.length * part),
    )
    expect(replays.filter(({ shouldPass }) => !shouldPass).length).toBeGreaterThan(ALL_TASKS.length * 0.3)
  }, 300_000)

  it('reports a failing gold solution and a passing wrong answer', async () => {
    const broken: Task = {
      ...first,
      graders: [...first.graders, { kind: 'exists', path: 'nowhere.md' }],
      spoiled: [{ ...first.gold, how: 'nothing' }],
    }
    const blind: Task = { ...first, graders: [{ kind: 'outcome', is: ['changed', 'no_change'] }], opposite: NOTHING }
    const { problems } = await runCi({ tasks: [broken, blind], sites: SITES }, never)
    expect(problems[0]).toContain('the gold solution fails. nowhere.md does not exist.')
    expect(problems.filter((problem) => problem.includes('passes but is wrong'))).toHaveLength(4)
  })

  it('fails a gold solution with a rejected call', async () => {
    const steps = [...first.gold.steps, { do: 'write', path: '.github/x.md', text: 'x\n' }] as const
    const graders = [{ kind: 'outcome', is: ['changed'] }] as const
    const [replay] = (
      await runCi({ tasks: [{ ...first, graders, gold: { ...first.gold, steps } }], sites: SITES }, never)
    ).replays
    expect(replay).toMatchObject({ what: 'gold', passed: false })
    expect(replay?.misses.join()).toContain('rejected a call: create .github/x.md')
  })
})
