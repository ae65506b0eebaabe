import type { Random } from '../../chaos/plan/random.ts'
import type { AcmeProject } from './acme.ts'
import { JOB_ROUNDS } from './job-rounds.ts'
import { normalize } from './normalize.ts'
import { PROJECT_ROUNDS } from './project-rounds.ts'
import type { Round } from './round.ts'

export const ROUNDS: readonly Round[] = [...JOB_ROUNDS, ...PROJECT_ROUNDS]

/** Responses of each round in a quiet run, by name. */
export type Baseline = ReadonlyMap<string, unknown>

/** A round whose responses differ from those of the quiet run, or that failed. */
export interface Deviation {
  readonly round: string
  readonly expected: unknown
  readonly actual: unknown
}

/** Texts of a run, each 20 characters long and found in no data of the other tenant. */
export const toWord = (random: Random): string => `quagga-${random.int(0x1000000, 0xfffffff).toString(16)}-end00`

export async function runRound(round: Round, project: AcmeProject, word: string): Promise<unknown> {
  const { hidden = [], ...answers } = await round.run(project, word)
  return normalize(project, answers, [word, word.toUpperCase(), ...hidden])
}

/** Runs every round once while nothing else happens. */
export async function runQuietly(project: AcmeProject, random: Random): Promise<Baseline> {
  const baseline = new Map<string, unknown>()
  for (const round of ROUNDS) baseline.set(round.name, await runRound(round, project, toWord(random)))
  return baseline
}
