import type { Grader } from '../task/grader.ts'
import type { Attempt } from './attempt.ts'

const KINDS = ['outcome', 'no-new-problems', 'says', 'good-words'] as const

export type OutcomeGrader = Extract<Grader, { kind: (typeof KINDS)[number] }>

export const isOutcomeGrader = (grader: Grader): grader is OutcomeGrader => KINDS.some((kind) => kind === grader.kind)

const MAX_TITLE = 72

/** Grades an attempt's outcome and text. Returns null if the attempt passes. */
export function gradeOutcome(grader: OutcomeGrader, attempt: Attempt): string | null {
  switch (grader.kind) {
    case 'outcome': {
      if (attempt.outcome !== 'stopped' && grader.is.includes(attempt.outcome)) return null
      const how = attempt.code === null ? attempt.outcome : `${attempt.outcome} (${attempt.code})`
      return `The outcome is ${how}, expected ${grader.is.join(' or ')}.`
    }
    case 'no-new-problems': {
      const [first] = attempt.problems
      return first === undefined
        ? null
        : `Issues introduced by the change: ${attempt.problems.length}. The first one: ${first}`
    }
    case 'says': {
      const said = new RegExp(grader.pattern, 'is').test(attempt[grader.where])
      if (said !== (grader.not ?? false)) return null
      return `The ${grader.where} ${grader.not ? 'matches' : 'does not match'} /${grader.pattern}/.`
    }
    case 'good-words':
      if (attempt.title.trim() === '' || /[\r\n]/.test(attempt.title))
        return 'The title is empty or has more than one line.'
      if (attempt.title.length > MAX_TITLE) return `The title has ${attempt.title.length} characters.`
      if (attempt.title.trim().endsWith('.')) return 'The title ends with a full stop.'
      return attempt.body.trim() === '' ? 'The body is empty.' : null
  }
}
