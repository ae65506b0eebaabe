import type { Ending, Plan } from './plan.ts'

/** One sentence the rehearsal model understands. */
export interface Rule {
  /** The sentence, with its variables in capitals and optional parts in brackets. */
  usage: string
  /** What it does, for people. */
  does: string
  example: string
  /** The plan for a prompt that contains the sentence, and where in the prompt it stands; null when it does not. */
  match(prompt: string): Match | null
}

export interface Match {
  position: number
  plan: () => Plan<Ending>
}

/** A quoted text on one line, straight or curly. It takes a group. */
export const quoted = '["“”]([^"“”\\n]+)["“”]'

/** A path, bare or in quotes or backticks. It takes a group. */
export const path = '([^\\s"“”]+|["“][^"“”\\n]+["”])'

/** A text of any lines between triple quotes. It takes a group. */
export const block = '["“”]{3}\\s*?\\n?([\\s\\S]*?)["“”]{3}'

/** A pattern in which any white space may stand for a space. */
export function pattern(source: string): RegExp {
  return new RegExp(source.replaceAll(' ', '\\s+'), 'i')
}
