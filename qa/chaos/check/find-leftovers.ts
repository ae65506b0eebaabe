import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { Redis } from 'ioredis'
import type { Stack } from '../stack/open-stack.ts'

/** Returns the child processes of `pid`. Always empty on systems other than Linux. */
export async function listChildren(pid: number): Promise<number[]> {
  const names = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const parents = await Promise.all(
    names.map(async (name) => {
      const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
      // The name in parentheses can contain any character. The parent is the second field after it.
      return { child: Number(name), parent: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) }
    }),
  )
  return parents.filter(({ parent }) => parent === pid).map(({ child }) => child)
}

/** Returns the files in the services' TMPDIR and the incomplete files in the cache. */
export async function listTemporaryFiles({ tmp, dir }: Pick<Stack, 'tmp' | 'dir'>): Promise<string[]> {
  const list = async (at: string) => (await readdir(at, { recursive: true }).catch(() => [])).map(String)
  const cached = (await list(path.join(dir, 'cache'))).filter((name) =>
    /(^|[/.-])(tmp|temp|staging|new)([/.-]|$)/.test(name),
  )
  return [...(await list(tmp)), ...cached]
}

/** Returns the number of database connections held by the services, in any state. */
export async function countConnections({ database }: Pick<Stack, 'database'>): Promise<number> {
  const [row] = await database.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM pg_stat_activity
     WHERE datname = current_database() AND backend_type = 'client backend' AND application_name <> 'chaos'`,
  )
  return row?.n ?? 0
}

/**
 * Returns the keys of individual queue entries, excluding the queue's permanent keys. Empty if the
 * queue runs on Postgres.
 */
export async function listEntryKeys({ queueServer }: Pick<Stack, 'queueServer'>): Promise<string[]> {
  if (!queueServer) return []
  const client = new Redis(queueServer.url)
  try {
    return (await client.keys('*')).filter((key) => /:\d+(:|$)/.test(key))
  } finally {
    client.disconnect()
  }
}
