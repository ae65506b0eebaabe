import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ArmedFault, Exchange, RecordedRequest } from './exchange.ts'
import type {
  AppRegistration,
  Grant,
  PullRequest,
  RefUpdate,
  RepositoryRecord,
  RunPlan,
  SubmittedManifest,
} from './types.ts'

/** What distinguishes one kind of Git host from another. */
export interface HostDialect {
  /** Path of the host below its origin, such as `/gitlab`; empty for the root. */
  readonly basePath: string
  /** Maximum number of segments in a repository's path. */
  readonly maxSegments: number
  /** Ref that keeps the head of a pull request, such as `refs/pull/7/head`. */
  toPullRef(number: number): string
  /** User names that git clients may send with a token. */
  readonly gitUsers: RegExp
  /** Permissions of which one is needed to fetch or to push. */
  readonly gitAccess: { readonly read: readonly string[]; readonly write: readonly string[] }
  isApiPath(path: string): boolean
  handleApi(state: HostState, exchange: Exchange): Promise<void>
}

/** The mutable state of a running host, which is passed to every function that needs it. */
export interface HostState {
  readonly root: string
  readonly dialect: HostDialect
  /** Folder inside `root` for the host's files: hooks, push logs, the state file. */
  readonly home: string
  /** Origin that users and clients use to reach the host, without a trailing slash. */
  url: string
  /** The owner's classic token, which has all permissions. */
  readonly token: string
  readonly login: string
  /** Null until it is first used, because creating its key takes long. */
  app: AppRegistration | null
  /** Tokens with limited permissions, keyed by their value. */
  readonly grants: Map<string, Grant>
  /** Submitted manifests, keyed by the code issued for each. */
  readonly manifests: Map<string, SubmittedManifest>
  readonly records: Map<string, RepositoryRecord>
  /** Current repository names, keyed by previous name. */
  readonly moved: Map<string, string>
  readonly faults: ArmedFault[]
  readonly requests: RecordedRequest[]
  readonly refUpdates: RefUpdate[]
  /** Schedules a write of the state to disk. */
  readonly save: () => void
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
export const DEFAULT_PLAN: RunPlan = { endsAfter: 2, conclusion: 'success', unlistedFor: 0 }

/**
 * Returns the path of the bare repository. Throws if `full` is not `owner/name` with the characters
 * that GitHub allows.
 */
export function toRepositoryPath(root: string, full: string, maxSegments = 2): string {
  if (!isRepositoryPath(full, maxSegments)) {
    throw new Error(`"${full}" is not a repository name. Use the form owner/name.`)
  }
  return join(root, `${full}.git`)
}

function isRepositoryPath(full: string, maxSegments: number): boolean {
  const groups = full.split('/')
  const name = groups.pop() ?? ''
  const isDepth = groups.length >= 1 && groups.length < maxSegments
  return isDepth && groups.every((one) => OWNER.test(one)) && NAME.test(name) && !name.endsWith('.git')
}

/** Returns a numeric ID in GitHub's style. The same text always produces the same ID. */
export function toStableId(text: string): number {
  return Number.parseInt(createHash('sha1').update(text).digest('hex').slice(0, 7), 16) + 1
}

export function findRepository(state: HostState, full: string): Repository | null {
  const { maxSegments } = state.dialect
  if (!isRepositoryPath(full, maxSegments)) return null
  const dir = toRepositoryPath(state.root, full, maxSegments)
  if (!existsSync(join(dir, 'HEAD'))) return null
  const record = state.records.get(full) ?? buildRecord(full)
  state.records.set(full, record)
  const slash = full.lastIndexOf('/')
  return { full, owner: full.slice(0, slash), name: full.slice(slash + 1), dir, record }
}

function buildRecord(full: string): RepositoryRecord {
  return {
    id: toStableId(full),
    archived: false,
    isPublic: false,
    protectedBranches: [],
    writers: [],
    readOnly: false,
    pushRefusal: null,
    pulls: [],
    checkRuns: [],
    statuses: [],
    workflowRuns: [],
    runPlan: DEFAULT_PLAN,
    knowsRunDetails: true,
  }
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
    .map((path) => findRepository(state, path.replace(/\.git$/, '')))
    .filter((repository) => repository !== null)
    .sort((a, b) => a.full.localeCompare(b.full))
}

const SOON_MS = 100

/** Adds the fields that the state file of an earlier version does not have. */
const addReviews = (pull: PullRequest): PullRequest => ({
  ...pull,
  comments: pull.comments.map((comment) => ({ ...comment, updatedAt: comment.updatedAt ?? comment.createdAt })),
  reviews: pull.reviews ?? [],
  reviewComments: pull.reviewComments ?? [],
})

/** Opens the file that keeps pull requests and settings, so that links to them survive a restart. */
export function openStateFile(path: string) {
  const saved = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : { records: {}, moved: {} }
  const records = new Map(
    Object.entries<RepositoryRecord>(saved.records).map(([full, record]) => [
      full,
      { ...buildRecord(full), ...record, pulls: record.pulls.map(addReviews) },
    ]),
  )
  const moved = new Map(Object.entries<string>(saved.moved))
  let timer: NodeJS.Timeout | null = null
  let closed = false
  const write = (): void => {
    if (!timer) return
    clearTimeout(timer)
    timer = null
    // If a test has already removed the folder, the repositories no longer exist and no state is
    // needed.
    if (!existsSync(dirname(path))) return
    const state = { records: Object.fromEntries(records), moved: Object.fromEntries(moved) }
    writeFileSync(`${path}.new`, JSON.stringify(state))
    renameSync(`${path}.new`, path)
  }
  return {
    records,
    moved,
    /** Schedules a write within 100 ms. Several changes share one write. */
    save: (): void => {
      if (!closed) timer ??= setTimeout(write, SOON_MS).unref()
    },
    /**
     * Writes pending changes now. A handler whose connection was cut may still call `save`
     * afterwards, but those changes are not written.
     */
    close: (): void => {
      write()
      closed = true
    },
  }
}
