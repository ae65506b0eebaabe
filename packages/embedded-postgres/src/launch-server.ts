import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync } from 'node:fs'
import { open, readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { exitOf, lastLine } from './exit-of.ts'
import type { Account } from './find-account.ts'
import type { Binaries } from './find-binaries.ts'
import { isSameFile, leaveUsers, openReader, openWriter, toUsersFile } from './join-users.ts'
import { readLock } from './server-lock.ts'
import type { State } from './state.ts'

const START_LIMIT_MS = 60_000
const run = promisify(execFile)

/**
 * The keeper, a shell that runs the server and reads the users' FIFO. When the last user has exited
 * for any reason, it requests a fast shutdown of the server. Before that, it renames the FIFO, so
 * that no process joins a server that is stopping, and reads once more, because a user that joined
 * just before the renaming has written a line. The keeper is detached, so that Ctrl-C in a terminal
 * reaches only this process, which closes its connections first.
 */
const KEEPER = `exec 3<&0 </dev/null
made=$1; shift
"$@" 3<&- &
server=$!
users="\${made%/*}/users.$server"
mv "$made" "$users"
{
  while :; do
    while read -r _ <&3; do :; done
    mv "$users" "$users.closed"
    read -r _ <&3 || break
    mv "$users.closed" "$users"
  done
  kill -INT "$server" 2>/dev/null
} &
reader=$!
exec 3<&-
wait "$server"; code=$?
kill "$reader" 2>/dev/null
rm -f "$users" "$users.closed"
exit "$code"`

interface Launched {
  readonly port: number
  readonly pid: number
  stop(): Promise<void>
}

/**
 * Starts the server and registers this process as its first user.
 * @returns the running server, or `refusal` with the reason when the server exited instead of
 * starting.
 * @throws Error when the server neither starts nor exits within a minute.
 */
export async function launchServer(
  binaries: Binaries,
  state: State,
  account: Account | null,
  stateDir: string,
  settings: { readonly port: number; readonly named: readonly string[] },
): Promise<Launched | { readonly refusal: string }> {
  const args = ['-D', state.dataDir, '-p', String(settings.port)]
  for (const setting of settings.named) args.push('-c', setting)
  const made = path.join(state.dataDir, `users-${randomBytes(8).toString('hex')}`)
  await run('mkfifo', ['-m', '600', made], { ...account, cwd: '/' }).catch(() => {
    throw new Error(
      'The embedded PostgreSQL cannot write to its data folder. Its user ("postgres" when started as root) must own the folder and have access to every parent folder. Correct the permissions, or set DATABASE_URL.',
    )
  })
  const reader = openReader(made)
  const writer = openWriter(made)
  const logFile = path.join(stateDir, 'postgres.log')
  const log = await open(logFile, 'a')
  const child = spawn('/bin/sh', ['-c', KEEPER, 'keeper', made, binaries.postgres, ...args], {
    ...account,
    cwd: '/',
    detached: true,
    stdio: [reader, log.fd, log.fd],
  })
  let ended = false
  const exited = exitOf(child).then(() => {
    ended = true
  })
  closeSync(reader)
  await log.close()
  const deadline = Date.now() + START_LIMIT_MS
  for (;;) {
    const lock = await readLock(state.dataDir)
    const users = lock?.ready ? toUsersFile(state.dataDir, lock.pid) : null
    // Only the FIFO distinguishes this server from a different one on the same data.
    if (lock && users && isSameFile(writer, users)) {
      // The running server must not keep this process alive.
      child.unref()
      await removeOldUsers(state.dataDir, users)
      const leave = async () => {
        child.ref()
        await leaveUsers(users, writer, async () => ended)
        child.unref()
      }
      let leaving: Promise<void> | undefined
      return { port: lock.port, pid: lock.pid, stop: () => (leaving ??= leave()) }
    }
    if (ended || Date.now() > deadline) break
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  const late = !ended
  closeSync(writer)
  await exited
  await rm(made, { force: true })
  const reason = `The embedded PostgreSQL did not start: ${lastLine(await readFile(logFile, 'utf8'))} (see ${logFile})`
  if (late) throw new Error(reason)
  return { refusal: reason }
}

/** Removes FIFOs left behind by killed keepers. Only this server's FIFO is in use. */
async function removeOldUsers(dataDir: string, users: string): Promise<void> {
  const old = (await readdir(dataDir)).filter((name) => /^users\.\d+(\.closed)?$/.test(name))
  for (const name of old) if (name !== path.basename(users)) await rm(path.join(dataDir, name), { force: true })
}
