export const OUTCOMES = ['changed', 'no_change', 'needs_input', 'impossible'] as const

export type Outcome = (typeof OUTCOMES)[number]
