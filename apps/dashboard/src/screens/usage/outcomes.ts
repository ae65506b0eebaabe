import type { ProjectUsage } from '@corrigenda/contracts'

type Day = ProjectUsage['days'][number]
type UsageOutcome = Exclude<keyof Day, 'day' | 'costUsd'>

const LABELS: Readonly<Record<UsageOutcome, string>> = {
  changed: 'Pull request',
  no_changes: 'No changes',
  needs_input: 'Needs input',
  failed: 'Failed',
  cancelled: 'Cancelled',
  active: 'Active',
}

/** The outcomes, from the bottom to the top of a bar. */
export const OUTCOMES = Object.entries(LABELS).map(([id, label]) => ({ id: id as UsageOutcome, label }))

export const countJobs = (day: Day): number => OUTCOMES.reduce((sum, { id }) => sum + day[id], 0)
