import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { openLog } from '@corrigenda/core/runtime'
import { createRepository, type GitHost, startGitHost } from '@corrigenda/testkit'
import { buildGitHosts, openMirrors, type Snapshot, type SourceDeps, type WorkTree } from '@corrigenda/worker/parts'
import type { Task } from '../task/read-tasks.ts'
import { readSite } from '../task/sites.ts'
import { applySteps, type Tree } from '../task/steps.ts'
import { type Credential, findToken } from './load-credential.ts'
import { createSources, openTaskSources, type TaskSources } from './open-task-sources.ts'

export interface RepositoriesOptions {
  /** A separate folder for this run. */
  readonly root: string
  /** Folder for fetched repositories, kept between runs. */
  readonly cacheDir: string
  /**
   * `child` requires the compiled worker. Only external repositories justify a separate process.
   */
  readonly coldBuild: 'child' | 'inline'
  /** For fetching private repositories. */
  readonly credential: Credential | null
}

/** The repositories that tasks run on. Each is opened once for all attempts. */
export interface Repositories extends AsyncDisposable {
  /**
   * Opens the commit that a task starts from.
   * @throws any git package error
   */
  openSnapshot(task: Task): Promise<Snapshot>
  /**
   * Opens the sources of a task for one attempt.
   * @throws any git package or Git host error
   */
  openSources(task: Task, workTree: WorkTree, signal: AbortSignal): Promise<TaskSources>
}

const quiet = { info: () => undefined, warn: () => undefined }

/**
 * Serves this project's sites as real repositories on loopback. Fetches other repositories and
 * caches them.
 */
export async function openRepositories(options: RepositoriesOptions): Promise<Repositories> {
  const host: GitHost = await startGitHost({ root: join(options.root, 'host') })
  const own = await openMirrors({ cacheDir: join(options.root, 'cache'), log: quiet, coldBuild: 'inline' })
  const fetched = await openMirrors({ cacheDir: options.cacheDir, log: quiet, coldBuild: options.coldBuild })
  const opened = new Map<string, Promise<Snapshot>>()
  const created = new Map<string, Promise<void>>()
  const gitHosts = buildGitHosts({ github: { source: null, apiUrl: null, apiUrlHost: null } })
  const credentials = gitHosts.buildCredentials({ kind: 'token', token: host.token }, 'github')
  const sourceDeps: SourceDeps = {
    credentials,
    openGitHost: gitHosts.openGitHost,
    mirrors: own,
    log: openLog({ level: 'silent', secrets: [] }),
  }

  const create = async (name: string, task: Task): Promise<Snapshot> => {
    if ('url' in task.repository) {
      const { url, commit } = task.repository
      const token = findToken(options.credential, url)
      return fetched.openSnapshot({ tenant: 'eval', url, branch: null, commit, token })
    }
    const full = `eval/${name}`
    await createRepository(host, full, {
      commits: [
        { message: 'docs: first version', files: toFiles(applySteps(readSite(task.repository.site), task.before)) },
      ],
    })
    const url = `${host.repositoryUrl(full)}.git`
    return own.openSnapshot({ tenant: 'eval', url, branch: 'main', token: host.token })
  }

  const openSnapshot = (task: Task): Promise<Snapshot> => {
    const name = toName(task)
    const known = opened.get(name)
    if (known !== undefined) return known
    const made = create(name, task)
    opened.set(name, made)
    return made
  }

  return {
    openSnapshot,
    async openSources(task, workTree, signal) {
      const snapshot = await openSnapshot(task)
      const made = created.get(task.id) ?? createSources(host, task)
      created.set(task.id, made)
      await made
      const docs = 'site' in task.repository ? host.repositoryUrl(`eval/${toName(task)}`) : task.repository.url
      return await openTaskSources(sourceDeps, { host, task, docs, snapshot, workTree, signal })
    },
    async [Symbol.asyncDispose]() {
      const snapshots = await Promise.allSettled(opened.values())
      for (const one of snapshots) if (one.status === 'fulfilled') await one.value[Symbol.asyncDispose]()
      await own.close()
      await fetched.close()
      await host.close()
    },
  }
}

/** Returns the repository name. Tasks with the same site and changes to it share a repository. */
function toName({ repository, before }: Task): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([repository, before]))
    .digest('hex')
    .slice(0, 10)
  return 'site' in repository ? `${repository.site}-${hash}` : hash
}

const toFiles = (tree: Tree) => new Map([...tree].map(([path, data]) => [path, { data }]))
