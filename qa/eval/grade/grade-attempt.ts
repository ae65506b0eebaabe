import type { Grader } from '../task/grader.ts'
import type { Attempt, GradeContext } from './attempt.ts'
import { gradeDiff, isDiffGrader } from './grade-diff.ts'
import { gradeOutcome, isOutcomeGrader } from './grade-outcome.ts'
import { gradeSite } from './grade-site.ts'
import { gradeSource, isSourceGrader } from './grade-source.ts'
import { gradeText, isTextGrader } from './grade-text.ts'

/** A grader that an attempt failed. */
export interface Miss {
  readonly grader: Grader
  /** The reason, as a sentence. */
  readonly why: string
}

/** Returns every grader that the attempt fails. The task is solved if the list is empty. */
export function gradeAttempt(graders: readonly Grader[], attempt: Attempt, context: GradeContext): Miss[] {
  return graders.flatMap((grader) => {
    const why = grade(grader, attempt, context)
    return why === null ? [] : [{ grader, why }]
  })
}

function grade(grader: Grader, attempt: Attempt, context: GradeContext): string | null {
  if (isOutcomeGrader(grader)) return gradeOutcome(grader, attempt)
  if (isTextGrader(grader)) return gradeText(grader, attempt.after)
  if (isDiffGrader(grader)) return gradeDiff(grader, attempt.after, context)
  if (isSourceGrader(grader)) return gradeSource(grader, attempt, context)
  return gradeSite(grader, attempt.after, context)
}
