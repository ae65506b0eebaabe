import type { Ending, Plan } from './plan.ts'

/** One sentence that the rehearsal model understands. */
export interface Rule {
  /** The sentence, with its variables in capitals and optional parts in brackets. */
  usage: string
  /** Description for users. */
  does: string
  example: string
  /**
   * Returns the plan for a prompt that contains the sentence, and the position of the sentence, or
   * null if the prompt does not contain it.
   */
  match(prompt: string): Match | null
}

export interface Match {
  position: number
  plan: (job: JobFacts) => Plan<Ending>
}

/** What a plan may use besides the prompt. */
export interface JobFacts {
  /** Names of the sources that the job may read, without the documentation repository. */
  sources: readonly string[]
  /** The current year. */
  year: number
}

/** Quoted text on one line, with straight or curly quotes. Contains one capture group. */
export const quoted = '["“”]([^"“”\\n]+)["“”]'

/**
 * A path, with or without quotes or backticks. Contains one capture group. Words that begin a
 * description are not paths.
 */
export const path =
  '((?!(?:the|a|an|about|on|for|from|in|of|to|called|named|titled|that|which|with|our|and|listing|describing|explaining)\\s)[^\\s"“”]+|["“][^"“”\\n]+["”])'

/** One or more lines of text between triple quotes. Contains one capture group. */
export const block = '["“”]{3}\\s*?\\n?([\\s\\S]*?)["“”]{3}'

/** Builds a pattern in which a space matches any whitespace. */
export function pattern(source: string): RegExp {
  return new RegExp(source.replaceAll(' ', '\\s+'), 'i')
}
