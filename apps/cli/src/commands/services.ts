import { setFlagsFromString } from 'node:v8'
import { migrateDatabase } from '@corrigenda/core/db'
import { postgresUrl, readEnv } from '@corrigenda/core/runtime'
import type { Command } from 'commander'
import { z } from 'zod'
import type { CommandContext } from '../environment/command-context.ts'
import { resolveEnvironment } from '../environment/resolve-environment.ts'
import { closeOnSignal } from '../services/close-on-signal.ts'
import { printAnswer } from '../terminal/print.ts'

/**
 * Adds `serve | api | worker | migrate`. Each command loads its modules on demand, so that other
 * commands start quickly.
 */
export function addServiceCommands(program: Command, context: CommandContext): void {
  program
    .command('serve')
    .description('run all services in one process, with embedded defaults for missing settings')
    .action(async () => {
      const { serve } = await import('../services/serve.ts')
      const running = await serve(context)
      await closeOnSignal(running.close)
    })

  program
    .command('api')
    .description('run only the HTTP API')
    .action(async () => {
      // Collects garbage after the heap has grown by 30%. By default, V8 lets it double under load.
      setFlagsFromString('--heap-growing-percent=30')
      const { loadApiConfig, startApi } = await import('@corrigenda/api')
      const resolved = await resolveEnvironment(context, 'find')
      const api = await startApi(loadApiConfig(resolved.env))
      await closeOnSignal(api.close)
    })

  program
    .command('worker')
    .description('run only a worker; you can start any number of workers')
    .action(async () => {
      const { loadWorkerConfig, startWorker } = await import('@corrigenda/worker')
      const resolved = await resolveEnvironment(context, 'find')
      const worker = await startWorker(loadWorkerConfig(resolved.env))
      await closeOnSignal(worker.close)
    })

  program
    .command('migrate')
    .description('apply pending database migrations; safe to repeat')
    .option('--json', 'print one JSON object')
    .action(async (options: { json?: boolean }) => {
      const resolved = await resolveEnvironment(context, 'start')
      try {
        const settings = z.object({ DATABASE_URL: postgresUrl, DATABASE_DIRECT_URL: postgresUrl.optional() })
        const { DATABASE_URL, DATABASE_DIRECT_URL } = readEnv(settings, resolved.env)
        const applied = await migrateDatabase({ url: DATABASE_DIRECT_URL ?? DATABASE_URL })
        const line = applied.length === 0 ? 'The database is up to date.' : `Applied: ${applied.join(', ')}.`
        printAnswer(context, options.json, { applied }, [line])
      } finally {
        await resolved.close()
      }
    })
}
