import { z } from 'zod'
import type { CallOptions, ChecksState } from '../git-host.ts'
import { GitHostError } from '../git-host-error.ts'
import type { GitHubClient } from './open-client.ts'

export const CHECK_RUNS = {
  named: 'a list of checks',
  schema: z.object({
    total_count: z.number(),
    check_runs: z.array(z.object({ status: z.string(), conclusion: z.string().nullable() })),
  }),
}
export const COMBINED_STATUS = {
  named: 'a combined status',
  schema: z.object({ state: z.string(), total_count: z.number() }),
}

/** Conclusions that do not prevent a merge. */
const GOOD = new Set(['success', 'neutral', 'skipped'])
const PER_PAGE = 100
/** Pages of check runs to read. Later pages are ignored. */
const PAGES = [1, 2, 3]

type CommitInput = { readonly commit: string } & CallOptions

export async function findChecks(client: GitHubClient, input: CommitInput): Promise<ChecksState | null> {
  const runs = await orNothing(() => readCheckRuns(client, input))
  const statuses = await orNothing(() => readStatuses(client, input))
  return combine([...runs, ...statuses])
}

function combine(states: readonly ChecksState[]): ChecksState | null {
  if (states.includes('failed')) return 'failed'
  if (states.includes('pending')) return 'pending'
  return states.length > 0 ? 'passed' : null
}

async function readCheckRuns(client: GitHubClient, { commit, signal }: CommitInput): Promise<ChecksState[]> {
  const states: ChecksState[] = []
  for (const page of PAGES) {
    const { check_runs: runs } = await client.call({
      what: 'read the checks',
      answer: CHECK_RUNS,
      run: (octokit, request) =>
        octokit.rest.checks.listForRef({ ...client.name, ref: commit, per_page: PER_PAGE, page, request }),
      signal,
    })
    states.push(...runs.map(toState))
    if (runs.length < PER_PAGE) break
  }
  return states
}

function toState({ status, conclusion }: { status: string; conclusion: string | null }): ChecksState {
  if (status !== 'completed') return 'pending'
  return GOOD.has(conclusion ?? '') ? 'passed' : 'failed'
}

async function readStatuses(client: GitHubClient, { commit, signal }: CommitInput): Promise<ChecksState[]> {
  const { state, total_count: count } = await client.call({
    what: 'read the commit statuses',
    answer: COMBINED_STATUS,
    run: (octokit, request) => octokit.rest.repos.getCombinedStatusForRef({ ...client.name, ref: commit, request }),
    signal,
  })
  if (count === 0) return []
  if (state === 'pending') return ['pending']
  return [state === 'success' ? 'passed' : 'failed']
}

/** Returns an empty list if the token cannot read checks. The job then shows no checks. */
async function orNothing(read: () => Promise<ChecksState[]>): Promise<ChecksState[]> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof GitHostError && (error.code === 'forbidden' || error.code === 'not_found')) return []
    throw error
  }
}
