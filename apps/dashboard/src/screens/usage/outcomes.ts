import type { ProjectUsage } from '@corrigenda/contracts'

type Day = ProjectUsage['days'][number]
type UsageOutcome = Exclude<keyof Day, 'day' | 'costUsd'>

/** The outcomes, from the bottom to the top of a bar. */
export const OUTCOMES: readonly { readonly id: UsageOutcome; readonly label: string }[] = [
  { id: 'changed', label: 'Pull request' },
  { id: 'no_changes', label: 'No changes' },
  { id: 'needs_input', label: 'Needs input' },
  { id: 'failed', label: 'Failed' },
  { id: 'cancelled', label: 'Cancelled' },
  { id: 'active', label: 'Active' },
]

export const countJobs = (day: Day): number => OUTCOMES.reduce((sum, { id }) => sum + day[id], 0)
