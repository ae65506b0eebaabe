import type { Command } from 'commander'
import type { Finding } from '../doctor/finding.ts'
import type { CommandContext } from '../environment/command-context.ts'
import { printAnswer } from '../terminal/print.ts'

const MARK: Record<Finding['state'], string> = { ok: 'ok   ', warning: 'warn ', problem: 'FAIL ' }

export function addDoctorCommand(program: Command, context: CommandContext): void {
  program
    .command('doctor')
    .description(
      'check settings, database, queue, Git host and model; says what is wrong and how to mend it. Ends with 0 when jobs can run (warnings included), with 1 when there is a problem',
    )
    .option('--json', 'print one JSON object')
    .action(async (options: { json?: boolean }) => {
      const { diagnose } = await import('../doctor/diagnose.ts')
      const findings = await diagnose(context)
      const lines = findings.map((f) => `${MARK[f.state]} ${f.subject}: ${f.text}`)
      printAnswer(context, options.json, { findings }, lines)
      if (findings.some((finding) => finding.state === 'problem')) context.setExitCode(1)
    })
}
