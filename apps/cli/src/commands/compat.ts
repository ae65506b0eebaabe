import { type Command, InvalidArgumentError } from 'commander'
import type { CommandContext } from '../environment/command-context.ts'
import { printAnswer } from '../terminal/print.ts'

const MARK = { passed: 'ok  ', failed: 'FAIL', skipped: 'skip' } as const

interface Options {
  readonly url?: string
  readonly key?: string
  readonly project?: string
  readonly prompt: string
  readonly timeout: number
  readonly exhaustQuota?: boolean
  readonly json?: boolean
}

export function addCompatCommand(program: Command, context: CommandContext): void {
  program
    .command('compat')
    .description(
      "check any server against the hosted API's contract; creates jobs, deployments and previews in the project",
    )
    .option('--url <url>', 'base URL of the server (or CORRIGENDA_URL)')
    .option('--key <key>', 'API key (or CORRIGENDA_API_KEY)')
    .option('--project <id>', 'project ID (or CORRIGENDA_PROJECT)')
    .option('--prompt <text>', 'prompt for the jobs', 'Fix the spelling on the home page.')
    .option('--timeout <seconds>', 'timeout for one job', toSeconds, 600)
    .option('--exhaust-quota', "also exhaust the project's job limit")
    .option('--json', 'print one JSON object')
    .action(async (options: Options) => {
      const { env } = context
      const { runCompat } = await import('../compat/run-compat.ts')
      const results = await runCompat({
        url: need(options.url ?? env.CORRIGENDA_URL, '--url or CORRIGENDA_URL').replace(/\/+$/, ''),
        apiKey: need(options.key ?? env.CORRIGENDA_API_KEY, '--key or CORRIGENDA_API_KEY'),
        projectId: need(options.project ?? env.CORRIGENDA_PROJECT, '--project or CORRIGENDA_PROJECT'),
        prompt: options.prompt,
        jobMs: options.timeout * 1000,
        pollMs: 1_000,
        exhaustQuota: options.exhaustQuota ?? false,
      })
      const lines = results.map(({ name, state, reason }) => `${MARK[state]} ${name}${reason ? `: ${reason}` : ''}`)
      printAnswer(context, options.json, { results }, lines)
      if (results.some(({ state }) => state === 'failed')) context.setExitCode(1)
    })
}

function need(value: string | undefined, what: string): string {
  if (value) return value
  throw new Error(`${what} is missing. Set the server URL, the API key and the project.`)
}

function toSeconds(text: string): number {
  const seconds = Number(text)
  if (!Number.isInteger(seconds) || seconds < 1) throw new InvalidArgumentError('must be a whole number of seconds')
  return seconds
}
