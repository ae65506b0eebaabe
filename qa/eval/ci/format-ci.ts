import type { Task } from '../task/task.ts'
import type { CiResult } from './run-ci.ts'

/** Formats the replays and the problems for a terminal. */
export function formatCi(tasks: readonly Task[], { replays, problems }: CiResult, seconds: number): string {
  const count = (family: string) => tasks.filter((task) => task.family === family).length
  const golds = replays.filter(({ shouldPass }) => shouldPass)
  const wrong = replays.filter(({ shouldPass }) => !shouldPass)
  const refused = wrong.filter((replay) => replay.refused).length
  const heldOut = tasks.filter(({ split }) => split === 'held-out').length
  return [
    ...[...new Set(tasks.map(({ family }) => family))].map(
      (family) => `${family.padEnd(18)} ${String(count(family)).padStart(3)} tasks`,
    ),
    '',
    `${tasks.length} tasks (${heldOut} held out), ${replays.length} replays in ${seconds.toFixed(0)} s.`,
    `Correct answers that passed: ${golds.filter(({ passed }) => passed).length} of ${golds.length}.`,
    `Wrong answers that failed: ${wrong.filter(({ passed }) => !passed).length} of ${wrong.length} (the product itself rejected ${refused}).`,
    ...problems.map((problem) => `! ${problem}`),
  ].join('\n')
}
