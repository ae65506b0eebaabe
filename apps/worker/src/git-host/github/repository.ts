import { z } from 'zod'
import type { FolderFile, GitHost } from '../git-host.ts'
import { GitHostError } from '../git-host-error.ts'
import type { GitHubClient } from './open-client.ts'

const MAX_FILES = 50

const REPOSITORY = {
  named: 'a repository',
  schema: z.object({
    full_name: z.string(),
    default_branch: z.string(),
    archived: z.boolean().optional(),
    private: z.boolean().optional(),
    // Some versions of GitHub Enterprise Server omit the permissions.
    permissions: z.object({ push: z.boolean().optional() }).nullish(),
  }),
}
const TREE = {
  named: 'a tree',
  schema: z.object({ tree: z.array(z.object({ path: z.string(), type: z.string() })), truncated: z.boolean() }),
}
const Entry = z.object({ type: z.string(), name: z.string(), path: z.string() })
/** A folder is a list. A file has its content, except for links, submodules and files over 1 MiB. */
const CONTENT = {
  named: 'a file or a folder',
  schema: z.union([z.array(Entry), Entry.extend({ encoding: z.string().optional(), content: z.string().optional() })]),
}

/** Builds the calls that read a repository and its files. */
export function buildRepository(client: GitHubClient): Pick<GitHost, 'getRepository' | 'readFolder' | 'listFiles'> {
  return {
    async getRepository({ signal } = {}) {
      const found = await client.call({
        what: 'read the repository',
        answer: REPOSITORY,
        run: (octokit, request) => octokit.rest.repos.get({ ...client.name, request }),
        signal,
      })
      return {
        path: found.full_name,
        defaultBranch: found.default_branch,
        isArchived: found.archived ?? false,
        isPrivate: found.private ?? null,
        mayPush: found.permissions?.push ?? null,
      }
    },

    async listFiles({ commit, signal }) {
      const { tree, truncated } = await client.call({
        what: 'list the files',
        subject: `the commit ${commit}`,
        answer: TREE,
        run: (octokit, request) =>
          octokit.rest.git.getTree({ ...client.name, tree_sha: commit, recursive: '1', request }),
        signal,
      })
      return { paths: tree.flatMap(({ path, type }) => (type === 'blob' ? [path] : [])), hasMore: truncated }
    },

    async readFolder({ path, ref, signal }) {
      const content = await readContent(client, { path, ref, signal }).catch((error: unknown) => {
        if (error instanceof GitHostError && error.code === 'not_found') return []
        throw error
      })
      const entries = Array.isArray(content) ? content.filter(({ type }) => type === 'file').slice(0, MAX_FILES) : []
      const found: FolderFile[] = []
      for (const { name, path } of entries) {
        const bytes = await readFile(client, { path, ref, signal })
        if (bytes !== null) found.push({ name, bytes })
      }
      return found
    },
  }
}

interface ContentInput {
  readonly path: string
  readonly ref: string
  readonly signal: AbortSignal | undefined
}

/** Returns null for a folder, a link, a submodule, and a file without content in the response. */
export async function readFile(client: GitHubClient, input: ContentInput): Promise<Buffer | null> {
  const found = await readContent(client, input)
  const isFile = !Array.isArray(found) && found.type === 'file' && found.encoding === 'base64'
  return isFile && found.content !== undefined ? Buffer.from(found.content, 'base64') : null
}

function readContent(client: GitHubClient, { path, ref, signal }: ContentInput) {
  return client.call({
    what: `read ${path}`,
    subject: `${path} on ${ref}`,
    answer: CONTENT,
    run: (octokit, request) => octokit.rest.repos.getContent({ ...client.name, path, ref, request }),
    signal,
  })
}
