import { type Command, InvalidArgumentError } from 'commander'
import type { Finding } from '../doctor/finding.ts'
import type { CommandContext } from '../environment/command-context.ts'
import { printAnswer } from '../terminal/print.ts'

const MARK: Record<Finding['state'] | 'gone', string> = {
  ok: 'ok   ',
  warning: 'warn ',
  problem: 'FAIL ',
  gone: 'gone ',
}

const toLine = ({ subject, text }: Finding, state: keyof typeof MARK): string => `${MARK[state]} ${subject}: ${text}`

const hasProblem = (findings: readonly Finding[]): boolean => findings.some(({ state }) => state === 'problem')

interface DoctorOptions {
  readonly json?: boolean
  readonly watch?: boolean
  readonly every: number
}

export function addDoctorCommand(program: Command, context: CommandContext): void {
  program
    .command('doctor')
    .description(
      'check settings, database, queue, Git host and model, and suggest fixes. The exit code is 1 if there is a problem, such as jobs that wait while no worker is online, and 0 otherwise',
    )
    .option('--json', 'print one JSON object')
    .option('--watch', 'repeat the checks, without the paid model request, and print only changes, until a signal')
    .option('--every <seconds>', 'pause between the checks of --watch', toSeconds, 15)
    .action(async (options: DoctorOptions) => {
      const { diagnose } = await import('../doctor/diagnose.ts')
      const findings = options.watch ? await watch(context, options) : await diagnose(context)
      if (!options.watch) {
        const lines = findings.map((finding) => toLine(finding, finding.state))
        printAnswer(context, options.json, { findings }, lines)
      }
      if (hasProblem(findings)) context.setExitCode(1)
    })
}

async function watch(context: CommandContext, { every, json }: DoctorOptions): Promise<readonly Finding[]> {
  const { diagnose } = await import('../doctor/diagnose.ts')
  const { watchFindings } = await import('../doctor/finding.ts')
  const end = new AbortController()
  const stop = () => end.abort()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop)
  return watchFindings(() => diagnose(context, { model: false }), {
    everyMs: every * 1000,
    signal: end.signal,
    onChange({ changed, gone }) {
      const at = new Date().toISOString()
      const lines = [
        ...changed.map((finding) => toLine(finding, finding.state)),
        ...gone.map((finding) => toLine(finding, 'gone')),
      ]
      if (lines.length === 0) return
      printAnswer(
        context,
        json,
        { at, changed, gone },
        lines.map((line) => `${at} ${line}`),
      )
    },
  })
}

function toSeconds(text: string): number {
  const seconds = Number(text)
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > 3600) {
    throw new InvalidArgumentError('must be a whole number from 1 to 3600.')
  }
  return seconds
}
