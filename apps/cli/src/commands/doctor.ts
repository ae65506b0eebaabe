import type { Command } from 'commander'
import type { Finding } from '../doctor/finding.ts'
import type { CommandContext } from '../environment/command-context.ts'
import { printAnswer } from '../terminal/print.ts'

const MARK: Record<Finding['state'], string> = { ok: 'ok   ', warning: 'warn ', problem: 'FAIL ' }

export function addDoctorCommand(program: Command, context: CommandContext): void {
  program
    .command('doctor')
    .description(
      'check settings, database, queue, Git host and model, and suggest fixes. The exit code is 0 if jobs can run (even with warnings) and 1 if there is a problem',
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
