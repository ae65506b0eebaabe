import { describe, expect, it } from 'vitest'
import { readTasks, type Solution, type Task } from '../task/read-tasks.ts'
import { runCi } from './run-ci.ts'

const never = new AbortController().signal
const LOCAL = { cacheDir: null, coldBuild: 'inline', credential: null } as const
/**
 * Replays, each day, a different tenth of the wrong answers and two other tenths of the correct
 * ones. EVAL_SHARE selects a tenth (0 to 9) or all answers (`all`).
 */
const SHARES = 10
const share = process.env.EVAL_SHARE ?? String(Math.floor(Date.now() / 86_400_000) % SHARES)

const TASKS = readTasks()
const first = TASKS[0] as Task

describe('replays through the real loop', () => {
  it(`all correct answers pass and all wrong answers fail (share ${share})`, async () => {
    const seen = { gold: 0, wrong: 0 }
    const wants = ({ how }: Solution) => {
      const kind = how === 'gold' ? 'gold' : 'wrong'
      seen[kind] += 1
      const period = kind === 'gold' ? SHARES / 2 : SHARES
      return share === 'all' || seen[kind] % period === Number(share) % period
    }
    const { replays, problems } = await runCi({ tasks: TASKS, wants, ...LOCAL }, never)
    expect(problems).toEqual([])
    expect(replays.filter(({ how }) => how === 'gold').length).toBeGreaterThanOrEqual(Math.floor(TASKS.length / 5))
    expect(replays.filter(({ how }) => how !== 'gold').length).toBeGreaterThan(TASKS.length * 0.3)
  }, 300_000)

  it('reports a failing correct answer and a passing wrong answer', async () => {
    const broken: Task = { ...first, graders: [{ kind: 'exists', path: 'nowhere.md' }], wrong: [] }
    const blind: Task = { ...first, graders: [{ kind: 'outcome', is: ['changed', 'no_change'] }] }
    const { problems } = await runCi({ tasks: [broken, blind], ...LOCAL }, never)
    expect(problems[0]).toContain('the correct answer fails. nowhere.md does not exist.')
    expect(problems.filter((problem) => problem.includes('passes but is wrong'))).toHaveLength(first.wrong.length)
  })

  it('fails a correct answer with a rejected call', async () => {
    const steps = [...first.gold.steps, { do: 'write' as const, path: '.github/x.md', text: 'x\n' }]
    const task: Task = {
      ...first,
      graders: [{ kind: 'outcome', is: ['changed'] }],
      gold: { ...first.gold, steps },
      wrong: [],
    }
    const { replays } = await runCi({ tasks: [task], ...LOCAL }, never)
    expect(replays).toMatchObject([{ how: 'gold', passed: false }])
    expect(replays[0]?.misses.join()).toContain('rejected a call: create .github/x.md')
  })
})
