import { z } from 'zod'
import { GitHostError } from '../git-host-error.ts'
import type { RestCall, RestClient } from '../rest/open-rest-client.ts'

const AccessLevel = z.object({ access_level: z.number() }).nullish()

const Project = z.object({
  id: z.number().int(),
  path_with_namespace: z.string(),
  default_branch: z.string().nullish(),
  archived: z.boolean().optional(),
  visibility: z.string().optional(),
  merge_requests_access_level: z.string().optional(),
  permissions: z.object({ project_access: AccessLevel, group_access: AccessLevel }).nullish(),
})

export type ProjectFacts = z.infer<typeof Project>

/** Calls about one project. Their paths start below the project. */
export interface GitLabProject {
  /** Reads the project again, even if it was read before. */
  read(signal?: AbortSignal): Promise<ProjectFacts>
  call<T>(call: RestCall<T>): Promise<T>
  list: RestClient['list']
  /** Calls a path of the whole host. */
  callHost: RestClient['call']
  /**
   * Explains a refusal that GitLab does not explain.
   * @throws GitHostError `archived`, or `forbidden` if merge requests are switched off
   */
  explain<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T>
}

/** Uses the project's number, which survives a rename or a transfer, after the first read. */
export function openProject(client: RestClient): GitLabProject {
  const byPath = `/projects/${encodeURIComponent(client.repository.path)}`
  let known: string | null = null
  const read = async (signal?: AbortSignal): Promise<ProjectFacts> => {
    const project = await client.call({ what: 'read the project', path: known ?? byPath, schema: Project, signal })
    known = `/projects/${project.id}`
    return project
  }
  const toPath = async ({ path, signal }: { path: string; signal?: AbortSignal | undefined }) => {
    if (known === null) await read(signal)
    return `${known}${path}`
  }
  return {
    read,
    call: async (call) => client.call({ ...call, path: await toPath(call) }),
    list: async (call, options) => client.list({ ...call, path: await toPath(call) }, options),
    callHost: client.call,
    async explain(work, signal) {
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof GitHostError) || !['forbidden', 'not_found'].includes(error.code)) throw error
        const project = await read(signal).catch(() => null)
        if (project?.archived) {
          throw new GitHostError('archived', `The project ${project.path_with_namespace} is archived. Unarchive it.`)
        }
        if (project?.merge_requests_access_level === 'disabled') {
          throw new GitHostError(
            'forbidden',
            `Merge requests are switched off for ${project.path_with_namespace}. Switch them on in the settings of the project.`,
          )
        }
        throw error
      }
    },
  }
}
