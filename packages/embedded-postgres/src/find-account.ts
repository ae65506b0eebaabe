import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** User and group that the server process runs as. */
export interface Account {
  readonly uid: number
  readonly gid: number
}

/**
 * Returns the account that the server runs as. PostgreSQL refuses to run as root, so for root this
 * is the `postgres` system user, which is created if it is missing. Otherwise returns null, and the
 * server runs as the caller.
 * @throws Error when the account cannot be created.
 */
export async function ensureAccount(): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null
  const known = await findAccount()
  if (known) return known
  try {
    await run('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', 'postgres'])
  } catch {
    throw new Error(
      'PostgreSQL cannot run as root and the system user "postgres" could not be created. Create the user (useradd --system --user-group postgres), run as a different user, or set DATABASE_URL.',
    )
  }
  const created = await findAccount()
  if (!created) throw new Error('The system user "postgres" was created but cannot be found.')
  return created
}

async function findAccount(): Promise<Account | null> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', 'postgres']), run('id', ['-g', 'postgres'])])
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
  } catch {
    return null
  }
}
