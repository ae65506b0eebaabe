import type { Mutant } from './mutant.ts'
import type { MutantResult } from './run-mutants.ts'

/** One line of the table. */
export function formatResult({ mutant, verdict, seconds }: MutantResult, width: number): string {
  const what = {
    caught: () => `caught    ${verdict.kind === 'caught' ? shortenPath(verdict.by) : ''}`,
    survived: () => `SURVIVED  no test noticed: ${mutant.tests.map(shortenPath).join(', ')}`,
    broken: () => `BROKEN    ${verdict.kind === 'broken' ? verdict.why : ''}`,
  }[verdict.kind]()
  return `${mutant.name.padEnd(width)}  ${seconds.toFixed(1).padStart(6)} s  ${what}`
}

/** Which guard each mutant switches off. */
export function formatMutant(mutant: Mutant, width: number): string {
  return `${mutant.name.padEnd(width)}  ${mutant.guard.padEnd(22)}  ${mutant.file}`
}

export function formatTotals(results: readonly MutantResult[], seconds: number): string {
  const count = (kind: MutantResult['verdict']['kind']) => results.filter(({ verdict }) => verdict.kind === kind).length
  return `${results.length} mutants: ${count('caught')} caught, ${count('survived')} survived, ${count('broken')} broken, ${Math.round(seconds)} s`
}

const shortenPath = (text: string): string => text.replace(/^(?:\S+\/)?(?=[^/\s]+\.test\.ts)/, '')
