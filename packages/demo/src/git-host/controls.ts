import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { noteRefUpdates, type RefMove, syncPullRequests } from './git/refs.ts'
import { runGit } from './git/run-git.ts'
import { createRepository, mergeCommits, type NewRepository, pushCommit, type UserCommit } from './git/write-commits.ts'
import { addFineToken, getApp } from './host/credentials.ts'
import type { Fault } from './host/exchange.ts'
import { DEFAULT_PLAN, getRepository, type HostState, toRepositoryPath } from './host/host-state.ts'
import {
  type Account,
  type CheckRun,
  type CommitStatus,
  NO_OBJECT,
  type Permissions,
  type PullRequest,
  type RepositoryRecord,
  type RunPlan,
  type WorkflowRun,
} from './host/types.ts'
import { submitManifest } from './rest/app-routes.ts'
import { addComment } from './rest/issue-routes.ts'
import { addReply, addReview, type NewReview } from './rest/review-routes.ts'

/**
 * Builds the functions with which tests and the demo control the host: what users, administrators,
 * and outages do. Repositories are named `owner/name`. A function throws if its repository does not
 * exist.
 */
export function buildControls(state: HostState) {
  const find = (full: string) => getRepository(state, full)
  const change = (full: string, values: Partial<RepositoryRecord>): void => {
    Object.assign(find(full).record, values)
    state.save()
  }
  const getPull = (full: string, number: number): PullRequest => {
    const pull = find(full).record.pulls.find((candidate) => candidate.number === number)
    if (!pull) throw new Error(`${full} has no pull request ${number}`)
    return pull
  }

  return {
    createRepository: (full: string, input: NewRepository) =>
      createRepository({ root: state.root, maxSegments: state.dialect.maxSegments }, full, input),
    /** Returns the new commit's ID. */
    pushCommit: (full: string, branch: string, commit: UserCommit) => pushCommit(state, find(full), branch, commit),

    /**
     * Closes a pull request, or merges it with a merge commit. Throws if it is already closed or
     * cannot be merged because of conflicts.
     */
    async closePull(full: string, number: number, { merge = false, deleteBranch = false } = {}): Promise<void> {
      const { dir } = find(full)
      const pull = getPull(full, number)
      if (pull.state === 'closed') throw new Error(`Pull request ${number} in ${full} is already closed`)
      const moves: RefMove[] = []
      const move = async (branch: string, old: string, next: string) => {
        const ref = `refs/heads/${branch}`
        await runGit(dir, 'update-ref', ref, next, old)
        moves.push({ ref, old, new: next })
      }
      if (merge) {
        const message = `Merge pull request #${number} from ${find(full).owner}/${pull.headRef}\n\n${pull.title}\n`
        await move(pull.baseRef, pull.baseSha, await mergeCommits(dir, pull.baseSha, pull.headSha, message))
      }
      const now = new Date().toISOString()
      Object.assign(pull, { state: 'closed', closedAt: now, mergedAt: merge ? now : null })
      if (deleteBranch) await move(pull.headRef, pull.headSha, NO_OBJECT)
      await noteRefUpdates(state, find(full), 'user', moves)
      state.save()
    },

    /**
     * Makes a pull request one from a fork, such as `mallory/docs`, whose branch this repository
     * does not have. Commits of forks remain readable, as on GitHub.
     */
    async moveToFork(full: string, number: number, fork: string): Promise<void> {
      const pull = getPull(full, number)
      pull.fork = fork
      await runGit(find(full).dir, 'update-ref', '-d', `refs/heads/${pull.headRef}`)
      state.save()
    },

    setCheckRun: (full: string, run: CheckRun) => change(full, { checkRuns: [...find(full).record.checkRuns, run] }),
    setStatus: (full: string, status: CommitStatus) =>
      change(full, { statuses: [...find(full).record.statuses, status] }),

    /** Adds a comment by this user to the conversation. Returns its ID. */
    comment(full: string, number: number, { author, body }: { author: Account; body: string }): number {
      const { id } = addComment(find(full), getPull(full, number), body, author)
      state.save()
      return id
    },
    /** Submits a review with comments on lines. Returns their IDs, which are also those of the threads. */
    review(full: string, number: number, review: NewReview): number[] {
      const pull = getPull(full, number)
      const { id } = addReview(find(full), pull, review)
      state.save()
      return pull.reviewComments.filter(({ reviewId }) => reviewId === id).map((comment) => comment.id)
    },
    /** Adds a reply to a thread. Returns its ID. */
    reply(full: string, number: number, reply: { thread: number; body: string; author: Account }): number {
      const { id } = addReply(find(full), getPull(full, number), reply)
      state.save()
      return id
    },
    /** Gives users write permission. */
    addWriters: (full: string, ...logins: string[]) =>
      change(full, { writers: [...find(full).record.writers, ...logins] }),

    protect: (full: string, branch: string) =>
      change(full, { protectedBranches: [...find(full).record.protectedBranches, branch] }),
    archive: (full: string, archived: boolean) => change(full, { archived }),
    makePublic: (full: string) => change(full, { isPublic: true }),
    /** If on, every user can read the repository, and no user can push or open pull requests. */
    setReadOnly: (full: string, readOnly: boolean) => change(full, { readOnly }),
    /** Makes a hook reject every push with this message. Null allows pushes again. */
    refusePushes: (full: string, reason: string | null) => change(full, { pushRefusal: reason }),

    /**
     * Renames or transfers a repository. Its ID does not change, and the previous name redirects to
     * the new one.
     */
    async rename(full: string, to: string): Promise<void> {
      const { dir, record } = find(full)
      const target = toRepositoryPath(state.root, to, state.dialect.maxSegments)
      if (existsSync(target)) throw new Error(`The repository ${to} already exists`)
      await mkdir(dirname(target), { recursive: true })
      await rename(dir, target)
      state.records.delete(full)
      state.records.set(to, record)
      for (const [former, present] of state.moved) if (present === full) state.moved.set(former, to)
      state.moved.delete(to)
      state.moved.set(full, to)
      state.save()
    },
    /** Permanently deletes the repository and its pull requests. */
    async deleteRepository(full: string): Promise<void> {
      await rm(find(full).dir, { recursive: true, force: true })
      state.records.delete(full)
      state.save()
    },

    /**
     * Adds a fine-grained personal access token for these repositories (default: all) with these
     * permissions. Every token can also read public data.
     */
    addToken: (permissions: Permissions, repositories?: readonly string[]) =>
      addFineToken(state, permissions, repositories),
    /**
     * Sets the permissions of the App's installation. Tokens created earlier keep their permissions.
     */
    setAppPermissions: (permissions: Permissions) => {
      getApp(state).permissions = { ...permissions, metadata: 'read' }
    },
    /**
     * Submits a manifest, as a user does on GitHub's page for creating Apps. Returns the code in the
     * redirect.
     */
    submitManifest: (manifest: Parameters<typeof submitManifest>[1]) => submitManifest(state, manifest),
    expireInstallationTokens: () => {
      for (const [value, { kind }] of state.grants) if (kind === 'installation') state.grants.delete(value)
    },

    /** Sets the plan for future workflow runs. Omitted fields use their defaults. */
    planRuns: (full: string, plan: Partial<RunPlan>) => change(full, { runPlan: { ...DEFAULT_PLAN, ...plan } }),
    /** Makes every active run end at its next poll. */
    endRuns: (full: string, conclusion: RunPlan['conclusion']) => {
      for (const run of find(full).record.workflowRuns) {
        if (run.asked <= run.plan.endsAfter) run.plan = { ...run.plan, conclusion, endsAfter: 0 }
      }
    },
    /** False makes the host reject `return_run_details` for the repository, as older hosts do. */
    setRunDetails: (full: string, known: boolean) => change(full, { knowsRunDetails: known }),

    fault: (fault: Fault) => void state.faults.push({ fault, left: fault.times ?? 1 }),
    clearFaults: () => void state.faults.splice(0),

    /** Returns copies of the pull requests, oldest first. */
    pulls: (full: string): PullRequest[] => structuredClone(find(full).record.pulls),
    /** Returns copies of the workflow runs, oldest first. */
    workflowRuns: (full: string): WorkflowRun[] => structuredClone(find(full).record.workflowRuns),
    requests: state.requests,
    stats: () => toStats(state),
    /**
     * Runs git in the bare repository and returns its output. Ref updates made by this function are
     * not recorded.
     */
    async git(full: string, ...args: string[]): Promise<string> {
      const output = await runGit(find(full).dir, ...args)
      await syncPullRequests(state, find(full))
      return output
    },
  }
}

function toStats({ requests, refUpdates, records }: HostState) {
  const heads = [...records].flatMap(([full, { pulls }]) => pulls.map((pull) => `${full}:${pull.headRef}`))
  const duplicates = Object.entries(countEach(heads)).filter(([, count]) => count > 1)
  return {
    operations: countEach(requests.map((request) => request.op)),
    /** Number of pull requests per branch ("owner/name:branch"), for branches with more than one. */
    duplicates: Object.fromEntries(duplicates),
    refUpdates: [...refUpdates],
    forced: refUpdates.filter((update) => update.forced),
    /** Requests that match no operation, as "METHOD path". */
    unknown: requests.filter((request) => request.op === 'unknown').map(({ method, path }) => `${method} ${path}`),
    unauthorized: requests.filter((request) => request.status === 401).length,
  }
}

function countEach(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}
