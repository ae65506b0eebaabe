import { createHash } from 'node:crypto'
import { toRepositoryAddress } from '@corrigenda/contracts'
import { createRepository, type GitHost } from '@corrigenda/testkit'
import {
  type AgentSource,
  openSource,
  pinSource,
  type Snapshot,
  type SourceDeps,
  selectSources,
  type WorkTree,
} from '@corrigenda/worker/parts'
import type { Task } from '../task/read-tasks.ts'

/** The time at which every task starts, so that a task has the same recent changes each time. */
const NOW = new Date('2026-09-01T09:00:00Z')
const DAY = 86_400_000
const PROJECT = 'eval'

/** The sources of one attempt. */
export interface TaskSources extends AsyncDisposable {
  readonly sources: readonly AgentSource[]
  /** The prompt with the names, URLs and commits of the sources. */
  readonly prompt: string
}

/** Creates the repositories of a task's sources. */
export async function createSources(host: GitHost, { id, sources }: Task): Promise<void> {
  for (const source of sources) {
    await createRepository(host, toFullName(id, source.name), {
      commits: source.commits.map(({ message, daysAgo, files }) => ({
        message,
        at: new Date(NOW.getTime() - daysAgo * DAY),
        files: new Map([...files].map(([path, data]) => [path, data === null ? null : { data }])),
      })),
    })
  }
}

/**
 * Opens the sources like a job does: the prompt selects what is read, and the Git host lists the
 * recent changes. Without sources, returns none.
 * @throws any git package or Git host error
 */
export async function openTaskSources(
  deps: SourceDeps,
  input: { host: GitHost; task: Task; docs: string; snapshot: Snapshot; workTree: WorkTree; signal: AbortSignal },
): Promise<TaskSources> {
  const { host, task, snapshot, workTree, signal } = input
  if (task.sources.length === 0) return { sources: [], prompt: task.prompt, [Symbol.asyncDispose]: async () => {} }
  const prompt = await fillPrompt(host, task)
  const selected = selectSources({
    sources: task.sources.map(({ name, visibility, paths }) => ({
      name,
      repository: host.repositoryUrl(toFullName(task.id, name)),
      ref: null,
      visibility,
      cite: null,
      paths: [...paths],
      quotable: [],
      mayUseInstanceCredential: true,
    })),
    docs: toRepositoryAddress(input.docs),
    asked: undefined,
    prompt,
  })
  const opened: AsyncDisposable[] = []
  const common = { projectId: PROJECT, now: NOW, signal }
  const sources: AgentSource[] = []
  for (const source of selected) {
    const own = source.name === 'docs' ? { ref: snapshot.branch, commit: snapshot.commit } : null
    const pinned = await pinSource(deps, {
      ...common,
      source,
      own,
      findLastRead: async () => undefined,
      needsBase: true,
    })
    const { listsChanges } = source
    sources.push(
      await openSource(deps, { ...common, pinned, access: source, listsChanges, workTree }, (one) => opened.push(one)),
    )
  }
  return {
    sources,
    prompt,
    async [Symbol.asyncDispose]() {
      await Promise.all(opened.map((one) => one[Symbol.asyncDispose]()))
    },
  }
}

/** Replaces `{{name}}`, `{{name.url}}` and `{{name.0}}` in the prompt. */
async function fillPrompt(host: GitHost, { id, prompt, sources }: Task): Promise<string> {
  let text = prompt
  for (const source of sources) {
    const full = toFullName(id, source.name)
    const commits = (await host.git(full, 'rev-list', '--reverse', 'main')).trim().split('\n')
    text = text
      .replaceAll(`{{${source.name}}}`, full)
      .replaceAll(`{{${source.name}.url}}`, host.repositoryUrl(full))
      .replace(new RegExp(`\\{\\{${source.name}\\.(\\d+)\\}\\}`, 'g'), (_, index) => commits[Number(index)] ?? '')
  }
  const [unknown] = /\{\{[\w.-]+\}\}/.exec(text) ?? []
  if (unknown !== undefined) throw new Error(`${id}: the prompt has an unknown placeholder ${unknown}.`)
  return text
}

/** The owner is different for each task, because several tasks have a source with the same name. */
function toFullName(task: string, name: string): string {
  return `team-${createHash('sha256').update(task).digest('hex').slice(0, 6)}/${name}`
}
