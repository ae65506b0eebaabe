import type { GitFault, GitHost, MessagesApi } from '@corrigenda/testkit'
import { z } from 'zod'

const text = z.string().min(1)

/** How often a fault occurs. */
export const Times = z.union([z.int().min(1), z.literal('always').transform(() => 1_000_000)])

/** A fault of the Git host for one request of the repository, or of the source if `source` is set. */
const FaultAct = z.strictObject({
  do: z.literal('fault'),
  source: z.boolean().default(false),
  /** The request, such as `git.push` or `pulls.create`. `*` stands for all requests of Git. */
  op: text,
  kind: z.enum(['status', 'reset', 'delay', 'apply-then-reset', 'apply-then-status']),
  status: z.int().exactOptional(),
  message: text.exactOptional(),
  /** `{api}` is the URL of the REST API, and `{reset}` the time in half an hour as Unix seconds. */
  headers: z.record(z.string(), z.string()).exactOptional(),
  page: text.exactOptional(),
  ms: z.int().exactOptional(),
  times: Times.exactOptional(),
  /** Done while the host holds the request. */
  get meanwhile() {
    return z.array(Act).default([])
  },
})

/** What a user or the host does. `{branch}` is the name of the job's branch. */
export const Act: z.ZodType<Act> = z.discriminatedUnion('do', [
  FaultAct,
  z.strictObject({ do: z.enum(['archive', 'delete-repository', 'make-read-only', 'open-pull']) }),
  z.strictObject({ do: z.literal('rename'), source: z.boolean().default(false) }),
  z.strictObject({ do: z.literal('protect'), branch: text }),
  z.strictObject({ do: z.literal('refuse-pushes'), reason: text }),
  /** Adds a commit to a branch. */
  z.strictObject({ do: z.literal('push'), branch: text }),
  /** Runs Git in the repository on the host. */
  z.strictObject({ do: z.literal('git'), args: z.array(text) }),
  z.strictObject({
    do: z.literal('close-pull'),
    merge: z.boolean().exactOptional(),
    deleteBranch: z.boolean().exactOptional(),
  }),
]) as never

export type Act =
  | z.infer<typeof FaultAct>
  | { readonly do: 'archive' | 'delete-repository' | 'make-read-only' | 'open-pull' }
  | { readonly do: 'rename'; readonly source: boolean }
  | { readonly do: 'protect' | 'push'; readonly branch: string }
  | { readonly do: 'refuse-pushes'; readonly reason: string }
  | { readonly do: 'git'; readonly args: readonly string[] }
  | { readonly do: 'close-pull'; readonly merge?: boolean; readonly deleteBranch?: boolean }

/** What the acts of a row affect: only its repository, its source and its conversation. */
export interface Scene {
  readonly host: GitHost
  readonly model: MessagesApi
  /** `owner/name` of the row's repository and of its source. */
  readonly full: string
  readonly source: string
}

export async function act(scene: Scene, acts: readonly Act[]): Promise<void> {
  for (const one of acts) await actOnce(scene, one)
}

async function actOnce(scene: Scene, one: Act): Promise<void> {
  const { host, full } = scene
  switch (one.do) {
    case 'fault': {
      const { do: _, source, meanwhile, headers = {}, ...fault } = one
      const reset = String(Math.floor(Date.now() / 1000) + 1800)
      const filled = Object.entries(headers).map(([name, value]) => [
        name,
        value.replace('{api}', host.apiUrl).replace('{reset}', reset),
      ])
      host.fault({
        ...fault,
        headers: Object.fromEntries(filled),
        match: toMatch(source ? scene.source : full, one.op),
        meanwhile: () => act(scene, meanwhile),
      } as GitFault)
      return
    }
    case 'archive':
      return host.archive(full, true)
    case 'delete-repository':
      return await host.deleteRepository(full)
    case 'make-read-only':
      return host.setReadOnly(full, true)
    case 'rename': {
      const name = one.source ? scene.source : full
      return await host.rename(name, `${name}-renamed`)
    }
    case 'protect':
      return host.protect(full, one.branch)
    case 'refuse-pushes':
      return host.refusePushes(full, one.reason)
    case 'push': {
      const files = new Map([['more.md', { data: '# More\n' }]])
      await host.pushCommit(full, await fillBranch(scene, one.branch), { message: 'docs: more', files })
      return
    }
    case 'git': {
      const args = await Promise.all(one.args.map((arg) => fillBranch(scene, arg)))
      await host.git(full, ...args)
      return
    }
    case 'close-pull': {
      const { do: _, ...how } = one
      return await host.closePull(full, 1, how)
    }
    case 'open-pull':
      await fetch(`${host.apiUrl}/repos/${full}/pulls`, {
        method: 'POST',
        headers: { authorization: `Bearer ${host.token}`, 'user-agent': 'a-person' },
        body: JSON.stringify({ title: 'By hand', head: await fillBranch(scene, '{branch}'), base: 'main' }),
      })
  }
}

async function fillBranch({ host, full }: Scene, words: string): Promise<string> {
  if (!words.includes('{branch}')) return words
  const refs = await host.git(full, 'for-each-ref', '--format=%(refname:short)', 'refs/heads/corrigenda')
  return words.replace('{branch}', refs.split('\n')[0] ?? '')
}

/**
 * Returns a substring of "METHOD path body" that only this repository's requests contain. Row ids
 * can share prefixes.
 */
function toMatch(full: string, op: string): string {
  if (op === 'apps.createInstallationAccessToken') return `"${full.replace('faults/', '')}"`
  if (op === '*' || op.startsWith('git.')) return `/${full}.git/`
  return op === 'repos.get' ? `/${full} ` : `/${full}/`
}
