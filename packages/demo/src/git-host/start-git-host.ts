import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { addFineToken } from './add-fine-token.ts'
import { type ClosePullOptions, closePull } from './close-pull.ts'
import { createRepository, type NewRepository } from './git/create-repository.ts'
import { writeHooks } from './git/hooks.ts'
import { syncPullRequests } from './git/note-ref-updates.ts'
import { pushCommit, type UserCommit } from './git/push-commit.ts'
import { runGit } from './git/run-git.ts'
import { type AppRegistration, buildAppRegistration, type Permissions } from './host/app-tokens.ts'
import { getRepository, type HostState, toStableId } from './host/host-state.ts'
import { openStateWriter, readStateFile } from './host/state-file.ts'
import { armFault } from './host/take-fault.ts'
import type { CheckRun, CommitStatus, Fault, HostStats, PullRequest, RecordedRequest } from './host/types.ts'
import { DEFAULT_PLAN, type RunPlan, type WorkflowRun } from './host/workflow-run.ts'
import { openServer } from './open-server.ts'
import { renameRepository } from './rename-repository.ts'
import type { RestChecks } from './rest-checks.ts'
import { submitManifest } from './submit-manifest.ts'
import { toStats } from './to-stats.ts'
import { trackResponses } from './track-responses.ts'

export interface GitHostOptions {
  /** Folder for the bare repositories, `<root>/<owner>/<name>.git`. Created if it is missing. */
  readonly root: string
  /** Default: 0, which selects a free port. The host listens on 127.0.0.1 only. */
  readonly port?: number
  /** Personal access token. Default: a random one. */
  readonly token?: string
  /** Owner of the token. Default: `corrigenda-bot`. */
  readonly login?: string
  /** Origin of all links on the host. Required if clients use a different URL to reach the host. */
  readonly publicUrl?: string
  /** Description that REST requests and responses must match. If omitted, neither is checked. */
  readonly checks?: RestChecks
}

export type NewCheckRun = Pick<CheckRun, 'sha' | 'name' | 'status'> & Partial<Pick<CheckRun, 'conclusion' | 'title'>>
export type NewStatus = Pick<CommitStatus, 'sha' | 'context' | 'state'> & Partial<Pick<CommitStatus, 'description'>>

const GRACE_MS = 2000

/**
 * A running Git host. Repositories are named `owner/name`. Functions that take a repository name
 * throw if the repository does not exist.
 */
export interface GitHost {
  readonly root: string
  /** Origin, such as http://127.0.0.1:41234. */
  readonly url: string
  /** Base URL of the REST API. */
  readonly apiUrl: string
  /** The current personal access token. */
  readonly token: string
  /** The GitHub App installed on all repositories. Its key pair is created on first use. */
  readonly app: Pick<AppRegistration, 'id' | 'installationId' | 'privateKey'>
  readonly repositoryUrl: (full: string) => string
  readonly createRepository: (full: string, repository: NewRepository) => Promise<void>

  readonly fault: (fault: Fault) => void
  readonly clearFaults: () => void
  readonly protect: (full: string, branch: string) => void
  readonly archive: (full: string, on: boolean) => void
  readonly makePublic: (full: string) => void
  /** If on, every user can read the repository, and no user can push or open pull requests. */
  readonly setReadOnly: (full: string, on: boolean) => void
  /** Makes a hook reject every push with this message. Null allows pushes again. */
  readonly refusePushes: (full: string, reason: string | null) => void
  /** Permanently deletes the repository and its pull requests. */
  readonly deleteRepository: (full: string) => Promise<void>
  readonly rename: (full: string, to: string) => Promise<void>
  /** Replaces the token. The host rejects the old token afterwards. */
  readonly rotateToken: (value: string) => void
  /**
   * Adds a fine-grained personal access token for these repositories (default: all) with these
   * permissions. Every token can also read public data.
   */
  readonly addToken: (permissions: Permissions, repositories?: readonly string[]) => string
  /**
   * Sets the permissions of the App's installation. Tokens created earlier keep their permissions.
   */
  readonly setAppPermissions: (permissions: Permissions) => void
  /**
   * Submits a manifest, as a user does on GitHub's page for creating Apps. Returns the code in the
   * redirect.
   */
  readonly submitManifest: (manifest: unknown) => string
  /** Expires all installation tokens. */
  readonly expireInstallationTokens: () => void

  readonly closePull: (full: string, number: number, options?: ClosePullOptions) => Promise<void>
  /**
   * Makes a pull request one from a fork, such as `mallory/docs`, whose branch this repository does
   * not have. Commits of forks remain readable, as on GitHub.
   */
  readonly moveToFork: (full: string, number: number, fork: string) => Promise<void>
  /** Returns the new commit's ID. */
  readonly pushCommit: (full: string, branch: string, commit: UserCommit) => Promise<string>
  readonly setCheckRun: (full: string, run: NewCheckRun) => void
  readonly setStatus: (full: string, status: NewStatus) => void
  /** Sets the plan for future workflow runs. Omitted fields use their defaults. */
  readonly planRuns: (full: string, plan: Partial<RunPlan>) => void
  /** Makes every active run end at its next poll. */
  readonly endRuns: (full: string, conclusion: RunPlan['conclusion']) => void
  /** False makes the host reject `return_run_details` for the repository, as older hosts do. */
  readonly setRunDetails: (full: string, known: boolean) => void

  /** Returns copies of the workflow runs, oldest first. */
  readonly workflowRuns: (full: string) => WorkflowRun[]
  readonly pulls: (full: string) => PullRequest[]
  readonly requests: readonly RecordedRequest[]
  readonly stats: () => HostStats
  /**
   * Runs git in the bare repository and returns its output. Ref updates made by this function are
   * not recorded.
   */
  readonly git: (full: string, ...args: string[]) => Promise<string>
  /** Stops accepting requests, waits up to 2 s for pending requests, and aborts the rest. */
  readonly close: () => Promise<void>
}

/**
 * Starts a Git host on 127.0.0.1. It serves git over HTTP, the GitHub operations that the product
 * uses under `/api/v3`, and HTML pages. Pull requests are stored in `<root>/.git-host/state.json`
 * and survive a restart.
 */
export async function startGitHost(options: GitHostOptions): Promise<GitHost> {
  const root = resolve(options.root)
  const home = join(root, '.git-host')
  await mkdir(join(home, 'pushes'), { recursive: true })
  await writeHooks(join(home, 'hooks'))
  const stateFile = join(home, 'state.json')
  const kept = readStateFile(stateFile)
  const writer = openStateWriter(stateFile, () => kept)
  let app: AppRegistration | null = null
  const state: HostState = {
    ...kept,
    root,
    home,
    url: '',
    token: options.token ?? `ghp_${randomBytes(18).toString('hex')}`,
    login: options.login ?? 'corrigenda-bot',
    app: () => {
      app ??= buildAppRegistration()
      return app
    },
    installationTokens: new Map(),
    fineTokens: new Map(),
    manifests: new Map(),
    faults: [],
    requests: [],
    refUpdates: [],
    save: writer.save,
  }
  const closing = new AbortController()
  const server = openServer(state, closing.signal, options.checks)
  const drain = trackResponses(server)
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  state.url = (options.publicUrl ?? own).replace(/\/+$/, '')

  return {
    ...buildControls(state),
    root,
    url: state.url,
    apiUrl: `${state.url}/api/v3`,
    get token() {
      return state.token
    },
    get app() {
      const { id, installationId, privateKey } = state.app()
      return { id, installationId, privateKey }
    },
    repositoryUrl: (full) => `${state.url}/${full}`,
    requests: state.requests,
    stats: () => toStats(state),
    close: async () => {
      const closed = once(server, 'close')
      await drain(GRACE_MS)
      closing.abort()
      server.close()
      server.closeAllConnections()
      await closed
      writer.close()
    },
  }
}

type Controls = Omit<
  GitHost,
  'root' | 'url' | 'apiUrl' | 'token' | 'app' | 'repositoryUrl' | 'requests' | 'stats' | 'close'
>

/** Builds the functions that tests and users call to control the host. */
function buildControls(state: HostState): Controls {
  const repository = (full: string) => getRepository(state, full)
  return {
    createRepository: (full, input) => createRepository(state, full, input),
    fault: (fault) => armFault(state.faults, fault),
    clearFaults: () => state.faults.splice(0),
    protect: (full, branch) => {
      repository(full).record.protectedBranches.push(branch)
      state.save()
    },
    archive: (full, on) => {
      repository(full).record.archived = on
      state.save()
    },
    makePublic: (full) => {
      repository(full).record.isPublic = true
      state.save()
    },
    setReadOnly: (full, on) => {
      repository(full).record.readOnly = on
      state.save()
    },
    refusePushes: (full, reason) => {
      repository(full).record.pushRefusal = reason
      state.save()
    },
    deleteRepository: async (full) => {
      await rm(repository(full).dir, { recursive: true, force: true })
      state.records.delete(full)
      state.save()
    },
    rename: (full, to) => renameRepository(state, full, to),
    rotateToken: (value) => {
      state.token = value
    },
    addToken: (permissions, repositories) => addFineToken(state, permissions, repositories),
    setAppPermissions: (permissions) => {
      state.app().permissions = { ...permissions, metadata: 'read' }
    },
    submitManifest: (manifest) => submitManifest(state, manifest),
    expireInstallationTokens: () => state.installationTokens.clear(),
    closePull: (full, number, how) => closePull(state, repository(full), number, how),
    moveToFork: async (full, number, fork) => {
      const { record, dir } = repository(full)
      const pull = record.pulls.find((candidate) => candidate.number === number)
      if (!pull) throw new Error(`${full} has no pull request ${number}`)
      pull.fork = fork
      await runGit(dir, 'update-ref', '-d', `refs/heads/${pull.headRef}`)
      state.save()
    },
    pushCommit: (full, branch, commit) => pushCommit(state, repository(full), branch, commit),
    setCheckRun: (full, run) => {
      const { checkRuns } = repository(full).record
      const id = toStableId(`${full} check ${checkRuns.length}`)
      checkRuns.push({ conclusion: null, title: null, ...run, id, at: new Date().toISOString() })
      state.save()
    },
    setStatus: (full, status) => {
      const { statuses } = repository(full).record
      const id = toStableId(`${full} status ${statuses.length}`)
      statuses.push({ description: null, ...status, id, at: new Date().toISOString() })
      state.save()
    },
    planRuns: (full, plan) => {
      repository(full).record.runPlan = { ...DEFAULT_PLAN, ...plan }
      state.save()
    },
    endRuns: (full, conclusion) => {
      for (const run of repository(full).record.workflowRuns ?? []) {
        if (run.asked <= run.plan.endsAfter) run.plan = { ...run.plan, conclusion, endsAfter: 0 }
      }
      state.save()
    },
    setRunDetails: (full, known) => {
      repository(full).record.knowsRunDetails = known
      state.save()
    },
    workflowRuns: (full) => structuredClone(repository(full).record.workflowRuns ?? []),
    pulls: (full) => structuredClone(repository(full).record.pulls),
    git: async (full, ...args) => {
      const { dir } = repository(full)
      const output = await runGit(dir, ...args)
      await syncPullRequests(state, repository(full))
      return output
    },
  }
}
