import { ConfigError } from '@corrigenda/core/runtime'
import { Command, CommanderError } from 'commander'
import { addApplyCommands } from './commands/apply.ts'
import { addAuditCommands } from './commands/audit.ts'
import { addBackupCommands } from './commands/backup.ts'
import { addCompatCommand } from './commands/compat.ts'
import { addDeploymentCommands } from './commands/deployment.ts'
import { addDoctorCommand } from './commands/doctor.ts'
import { addInitCommand } from './commands/init.ts'
import { addJobCommands } from './commands/job.ts'
import { addKeyCommands } from './commands/key.ts'
import { addProjectCommands } from './commands/project.ts'
import { addSecretCommands, addSigningKeyCommand } from './commands/secret.ts'
import { addServiceCommands } from './commands/services.ts'
import { addUserCommands } from './commands/user.ts'
import { addWebhookCommands } from './commands/webhook.ts'
import type { CommandContext } from './environment/command-context.ts'
import { addQuickstartCommand } from './quickstart/command.ts'
import { explainError } from './terminal/explain-error.ts'

/**
 * Runs one command and writes its output to the context's streams.
 * @param args the arguments after `corrigenda`
 * @returns the exit code: 0 for success, 1 for a failed command, 2 for invalid arguments or
 * settings
 */
export async function runCommandLine(
  args: readonly string[],
  input: Omit<CommandContext, 'setExitCode'>,
): Promise<number> {
  let exitCode = 0
  const context: CommandContext = {
    ...input,
    setExitCode(code) {
      exitCode = code
    },
  }
  const program = buildProgram(context)
  // The request for an overview is not a mistake.
  if (args.length === 0) {
    context.stdout.write(program.helpInformation())
    return 0
  }
  try {
    await program.parseAsync(args, { from: 'user' })
    return exitCode
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    context.stderr.write(`${explainError(error)}\n`)
    return error instanceof ConfigError ? 2 : 1
  }
}

/** Builds the command line with all of its commands. */
export function buildProgram(context: CommandContext): Command {
  const program = new Command('corrigenda')
    .description('Turns a sentence into a pull request on a documentation repository.')
    .showHelpAfterError('(see --help)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      writeErr: (text) => context.stderr.write(text),
    })
  addInitCommand(program, context)
  addServiceCommands(program, context)
  addDoctorCommand(program, context)
  addBackupCommands(program, context)
  addApplyCommands(program, context)
  addProjectCommands(program, context)
  addKeyCommands(program, context)
  addAuditCommands(program, context)
  addSecretCommands(program, context)
  addSigningKeyCommand(program, context)
  addUserCommands(program, context)
  addWebhookCommands(program, context)
  addJobCommands(program, context)
  addDeploymentCommands(program, context)
  addCompatCommand(program, context)
  addQuickstartCommand(program, context)
  return program
}
