import {
  findRepository,
  type HostState,
  type PullRequest,
  type Repository,
  toStableId,
} from '@corrigenda/demo/git-host'

export interface GitLabState {
  readonly edition: 'ce' | 'ee'
  readonly language: 'en' | 'de'
  preparation: number
  hiddenBranchReads: number
  /** Number of single reads of each merge request. */
  readonly reads: WeakMap<PullRequest, number>
  readonly withoutMergeRequests: Set<string>
  readonly executed: string[]
  /** Status of the merged-results pipeline, keyed by project and head commit. */
  readonly mergedResults: Map<string, string>
  readonly pipelines: Pipeline[]
}

interface Pipeline {
  readonly id: number
  readonly project: string
  readonly ref: string
  readonly sha: string
  readonly variables: readonly { key: string; value: string }[]
  /** Number of reads. The pipeline is created, runs, and ends. */
  reads: number
}

export const toProjectId = ({ record }: Repository): number => record.id

/** Finds a project by its number or its whole path. A path of the past is moved. */
export function findProject(state: HostState, id: string): Repository | 'moved' | null {
  if (/^\d+$/.test(id)) {
    const found = [...state.records].find(([, record]) => record.id === Number(id))
    return found ? findRepository(state, found[0]) : null
  }
  return state.moved.has(id) ? 'moved' : findRepository(state, id)
}

export const toUser = (state: HostState, login: string) => ({
  id: toStableId(login),
  username: login,
  name: login,
  state: 'active',
  web_url: `${state.url}/${login}`,
})

/** Logins that exist. All others are unknown. */
const USERS = ['corrigenda-bot', 'ada', 'grace', 'linus']

export const findUsers = (state: HostState, username: string) =>
  [...USERS, ...listWriters(state)].filter((one) => one === username.toLowerCase()).map((one) => toUser(state, one))

const listWriters = (state: HostState) => [...state.records.values()].flatMap(({ writers }) => writers)

export const findUserName = (id: number): string | null => USERS.find((one) => toStableId(one) === id) ?? null

const COMMAND =
  /^\/(merge|close|reopen|approve|unapprove|label|unlabel|relabel|assign|unassign|reassign|assign_reviewer|request_review|title|draft|ready|target_branch|rebase|todo|done|subscribe|unsubscribe|milestone|lock|unlock|copy_metadata|estimate|spend|react|award|shrug|tableflip|submit_review|ship)\b.*$/gim
const FENCE = /^```[\s\S]+?\n```$/gm

/** Returns the commands in a text. A line that starts with `/` is one, except in a code block. */
export function findCommands(text: string): string[] {
  return [...text.replace(/\r\n?/g, '\n').replace(FENCE, '').matchAll(COMMAND)].map(([line]) => line)
}
