import type { Random } from '../../chaos/plan/random.ts'
import type { AcmeProject } from './acme.ts'
import { findDifference } from './find-difference.ts'
import { JOB_ROUNDS } from './job-rounds.ts'
import { buildEdit } from './job-scripts.ts'
import { readState } from './read-state.ts'
import { type Baseline, ROUNDS, runRound, toWord } from './run-rounds.ts'
import { createJob, toId } from './work-job.ts'

export interface RunningTenant {
  /** Number of rounds and of other jobs so far. */
  counts(): { rounds: number; jobs: number }
  /** Lets the current round end, and returns every difference from the quiet run. */
  stop(): Promise<string[]>
}

/** Pages that the steady jobs edit. The rounds edit others. */
const FIRST_PAGE = 10
const PAGES = 18
/** Interval between the steady jobs in ms. Within the job quota together with those of the rounds. */
const EVERY_MS = 2_000

/**
 * Runs the rounds in random order, and creates other jobs at a steady rate, until stopped. Compares
 * each round with the quiet run, and the state of the project before and after the rounds that only
 * work on jobs.
 */
export function runTenant(project: AcmeProject, random: Random, baseline: Baseline): RunningTenant {
  const found: string[] = []
  let [rounds, jobs] = [0, 0]
  let isStopped = false

  const runRounds = async () => {
    const times = new Map<string, number>()
    let state = await readState(project)
    while (!isStopped) {
      const open = ROUNDS.filter(({ name, limit = Number.POSITIVE_INFINITY }) => (times.get(name) ?? 0) < limit)
      const round = random.pick(open)
      times.set(round.name, (times.get(round.name) ?? 0) + 1)
      const word = toWord(random)
      const actual = await runRound(round, project, word)
      rounds += 1
      const difference = findDifference(baseline.get(round.name), actual)
      if (difference !== null) found.push(`round ${round.name} (${word}): ${difference}`)
      const after = await readState(project)
      const change = JOB_ROUNDS.includes(round) ? findDifference(state, after) : null
      if (change !== null) found.push(`state after round ${round.name} (${word}): ${change}`)
      state = after
    }
  }
  const createJobs = async () => {
    const steady = random.fork('steady')
    for (; !isStopped; jobs += 1) {
      const word = toWord(steady)
      const { prompt, title, files } = buildEdit(word, FIRST_PAGE + (jobs % PAGES))
      const created = await createJob(project, { prompt })
      const id = toId(created)
      if (created.status !== 201) found.push(`steady job (${word}): ${created.status} ${created.text}`)
      else project.jobs.set(id, { id, word, status: 'completed', outcome: 'changed', files, title })
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
    }
  }
  const catchAll = (name: string) => (error: unknown) => {
    isStopped = true
    found.push(`${name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  }
  const running = Promise.all([runRounds().catch(catchAll('rounds')), createJobs().catch(catchAll('steady jobs'))])
  return {
    counts: () => ({ rounds, jobs }),
    async stop() {
      isStopped = true
      await running
      return found
    },
  }
}
