import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { AppRegistration, InstallationToken, SubmittedManifest } from './app-tokens.ts'
import type { ArmedFault } from './take-fault.ts'
import type { RecordedRequest, RefUpdate, RepositoryRecord } from './types.ts'

/** The mutable state of a running host, which is passed to every function that needs it. */
export interface HostState {
  readonly root: string
  /** Folder inside `root` for the host's files: hooks, push logs, the state file. */
  readonly home: string
  /** Origin that users and clients use to reach the host, without a trailing slash. */
  url: string
  token: string
  readonly login: string
  readonly app: () => AppRegistration
  readonly installationTokens: Map<string, InstallationToken>
  /** Fine-grained personal access tokens. */
  readonly fineTokens: Map<string, Omit<InstallationToken, 'expiresAt'>>
  /** Submitted manifests, keyed by the code issued for each. */
  readonly manifests: Map<string, SubmittedManifest>
  readonly records: Map<string, RepositoryRecord>
  /** Current repository names, keyed by previous name. */
  readonly moved: Map<string, string>
  readonly faults: ArmedFault[]
  readonly requests: RecordedRequest[]
  readonly refUpdates: RefUpdate[]
  /** Schedules a write of the state to disk. */
  save: () => void
}

/** An existing repository: its location on disk and its record in the host. */
export interface Repository {
  readonly full: string
  readonly owner: string
  readonly name: string
  readonly dir: string
  readonly record: RepositoryRecord
}

const OWNER = /^[A-Za-z0-9][A-Za-z0-9-]*$/
const NAME = /^(?!\.{1,2}$)[A-Za-z0-9._-]+$/

/**
 * Returns the path of the bare repository. Throws if `full` is not `owner/name` with the characters
 * that GitHub allows.
 */
export function toRepositoryPath(root: string, full: string): string {
  const [owner = '', name = '', ...rest] = full.split('/')
  if (rest.length > 0 || !OWNER.test(owner) || !NAME.test(name) || name.endsWith('.git')) {
    throw new Error(`"${full}" is not a repository name. Use the form owner/name.`)
  }
  return join(root, owner, `${name}.git`)
}

/** Returns a numeric ID in GitHub's style. The same text always produces the same ID. */
export function toStableId(text: string): number {
  return Number.parseInt(createHash('sha1').update(text).digest('hex').slice(0, 7), 16) + 1
}

export function findRepository(state: HostState, full: string): Repository | null {
  const [owner = '', name = '', ...rest] = full.split('/')
  if (rest.length > 0 || !OWNER.test(owner) || !NAME.test(name) || name.endsWith('.git')) return null
  const dir = toRepositoryPath(state.root, full)
  if (!existsSync(join(dir, 'HEAD'))) return null
  let record = state.records.get(full)
  if (!record) {
    record = {
      id: toStableId(full),
      createdAt: new Date().toISOString(),
      archived: false,
      protectedBranches: [],
      pulls: [],
      checkRuns: [],
      statuses: [],
    }
    state.records.set(full, record)
  }
  return { full, owner, name, dir, record }
}

export function getRepository(state: HostState, full: string): Repository {
  const repository = findRepository(state, full)
  if (!repository) throw new Error(`There is no repository ${full}. Create it with createRepository.`)
  return repository
}

/** Returns every repository below the root, sorted by name. */
export function listRepositories(state: HostState): Repository[] {
  const owners = readdirSync(state.root, { withFileTypes: true }).filter((e) => e.isDirectory() && OWNER.test(e.name))
  return owners
    .flatMap((owner) => readdirSync(join(state.root, owner.name)).map((name) => `${owner.name}/${name}`))
    .filter((path) => path.endsWith('.git'))
    .map((path) => findRepository(state, path.slice(0, -'.git'.length)))
    .filter((repository) => repository !== null)
    .sort((a, b) => a.full.localeCompare(b.full))
}
