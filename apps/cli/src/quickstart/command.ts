import { MAX_SOURCES, toRepositoryAddress } from '@corrigenda/contracts'
import { type Command, InvalidArgumentError } from 'commander'
import type { CommandContext } from '../environment/command-context.ts'

interface Options {
  readonly once?: boolean
  readonly port?: number
  readonly repository?: string
  readonly source?: string[]
  readonly prompt?: string
  readonly open?: boolean
}

export function addQuickstartCommand(program: Command, context: CommandContext): void {
  program
    .command('quickstart')
    .description('start all services, create one job and show how it becomes a pull request')
    .option('--once', 'exit after the first job')
    .option('--port <number>', 'port of the API and the dashboard (default: PORT, or 8080 if it is free)', toPort)
    .option('--repository <url>', 'your documentation repository (requires GITHUB_TOKEN or a GitHub App)')
    .option(
      '--source <url>',
      'repository with your code, which the agent reads; with --repository; can be repeated',
      addSource,
    )
    .option('--prompt <text>', 'the change to make')
    .option('--open', 'open the dashboard in a browser (default: only from a terminal in a graphical session)')
    .option('--no-open', 'do not open a browser')
    .action(async ({ once = false, source: sources = [], ...options }: Options) => {
      const { runQuickstart } = await import('./run-quickstart.ts')
      context.setExitCode(await runQuickstart(context, { once, sources, ...options }))
    })
}

function toPort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new InvalidArgumentError('Use a number from 0 to 65535.')
  return Number(text)
}

function addSource(text: string, sources: readonly string[] = []): string[] {
  if (sources.length === MAX_SOURCES) throw new InvalidArgumentError(`A project has at most ${MAX_SOURCES} sources.`)
  try {
    return [...sources, toRepositoryAddress(text).url]
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error))
  }
}
