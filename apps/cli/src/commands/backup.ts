import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Writable } from 'node:stream'
import { type AuditContext, COMMAND_LINE } from '@corrigenda/core/audit'
import type { BackupSummary } from '@corrigenda/core/backup'
import type { SecretSettings } from '@corrigenda/core/instance'
import { postgresUrl, readEnv } from '@corrigenda/core/runtime'
import type { Command } from 'commander'
import { z } from 'zod'
import type { CommandContext } from '../environment/command-context.ts'
import { resolveEnvironment } from '../environment/resolve-environment.ts'
import { printAnswer } from '../terminal/print.ts'

/** Both need a direct connection: a snapshot and a session must not move between servers. */
const Target = z.object({
  DATABASE_URL: postgresUrl,
  DATABASE_DIRECT_URL: postgresUrl.optional(),
  CORRIGENDA_SECRET: z.string('is required: the secret of the database in the backup').min(32, 'is too short'),
  CORRIGENDA_SECRET_PREVIOUS: z.string().optional(),
})

const NOT_INCLUDED =
  'It does not contain CORRIGENDA_SECRET, without which it cannot be used, nor .env, Redis, and repository caches.'

/** Adds `backup` and `restore`. Their modules are loaded on demand. */
export function addBackupCommands(program: Command, context: CommandContext): void {
  program
    .command('backup')
    .description('write the whole database to a file, while services run; - is standard output')
    .argument('<file>', 'file that does not exist yet')
    .option('--json', 'print one JSON object')
    .action(async (file: string, options: { json?: boolean }) => {
      const { writeBackup } = await import('@corrigenda/core/backup')
      const summary = await withTarget(context, (target) =>
        file === '-'
          ? writeBackup(target, context.stdout)
          : writeFileSafely(path.resolve(context.cwd, file), (output) => writeBackup(target, output)),
      )
      const streams = file === '-' ? { stdout: context.stderr } : context
      printAnswer(streams, options.json, { ...summary, file }, [
        `Backed up ${summary.rows} rows of ${summary.tables} tables as of ${summary.createdAt}.`,
        NOT_INCLUDED,
      ])
    })

  program
    .command('restore')
    .description('load a backup into an empty database, after all services have been stopped; - is standard input')
    .argument('<file>')
    .option('--replace', 'delete the data that the database contains')
    .option('--json', 'print one JSON object')
    .action(async (file: string, options: { replace?: boolean; json?: boolean }) => {
      const { restoreBackup } = await import('@corrigenda/core/backup')
      const { rows, migrated, createdAt } = await withTarget(context, (target) => {
        const input = file === '-' ? context.stdin : createReadStream(path.resolve(context.cwd, file))
        return restoreBackup({ ...target, replace: options.replace === true }, input)
      })
      printAnswer(context, options.json, { rows, migrated, createdAt }, [
        `Restored ${rows} rows as of ${createdAt}.`,
        ...(migrated.length > 0 ? [`Applied newer migrations: ${migrated.join(', ')}.`] : []),
        'Start the API and the workers. Jobs that were active then continue. Those that have pushed a branch since keep it.',
      ])
    })
}

interface TargetDatabase {
  readonly url: string
  readonly secrets: SecretSettings
  readonly audit: AuditContext
}

async function withTarget<T>(context: CommandContext, work: (target: TargetDatabase) => Promise<T>): Promise<T> {
  const resolved = await resolveEnvironment(context, 'start')
  try {
    const settings = readEnv(Target, resolved.env)
    const secrets = {
      secret: settings.CORRIGENDA_SECRET,
      previousSecret: settings.CORRIGENDA_SECRET_PREVIOUS ?? null,
    }
    const url = settings.DATABASE_DIRECT_URL ?? settings.DATABASE_URL
    return await work({ url, secrets, audit: COMMAND_LINE })
  } finally {
    await resolved.close()
  }
}

/**
 * Writes a temporary file, and renames it when it is complete and on disk.
 * @throws Error if the file exists
 */
async function writeFileSafely(
  file: string,
  write: (output: Writable) => Promise<BackupSummary>,
): Promise<BackupSummary> {
  const exists = await access(file).then(
    () => true,
    () => false,
  )
  if (exists) throw new Error(`${file} exists. Choose another name.`)
  const partial = `${file}.${randomUUID()}.partial`
  const handle = await open(partial, 'wx', 0o600)
  try {
    const summary = await write(handle.createWriteStream({ flush: true }))
    await rename(partial, file)
    return summary
  } catch (error) {
    await handle.close().catch(() => {})
    await rm(partial, { force: true })
    throw error
  }
}
