#!/usr/bin/env node
import { ConfigError } from '@corrigenda/core/runtime'
import { Command, CommanderError } from 'commander'
import { addCompatCommand } from './commands/compat.ts'
import { addDeploymentCommands } from './commands/deployment.ts'
import { addDoctorCommand } from './commands/doctor.ts'
import { addJobCommands } from './commands/job.ts'
import { addKeyCommands } from './commands/key.ts'
import { addProjectCommands } from './commands/project.ts'
import { addServiceCommands } from './commands/services.ts'
import { addUserCommands } from './commands/user.ts'
import { addWebhookCommands } from './commands/webhook.ts'
import { processEnv } from './environment/config.ts'
import { addQuickstartCommand } from './quickstart/command.ts'
import { explainError } from './terminal/explain-error.ts'

const env = processEnv()
const program = new Command('corrigenda')
  .description('Turns a sentence into a pull request on a documentation repository.')
  .showHelpAfterError('(see --help)')
  .exitOverride()
addServiceCommands(program, env)
addDoctorCommand(program, env)
addProjectCommands(program, env)
addKeyCommands(program, env)
addUserCommands(program, env)
addWebhookCommands(program, env)
addJobCommands(program, env)
addDeploymentCommands(program, env)
addCompatCommand(program, env)
addQuickstartCommand(program, env)

// Exit codes: 0 done, 1 it did not work, 2 the call or the configuration is wrong.
try {
  await program.parseAsync()
} catch (error) {
  // At once, whatever is still open: a service that could not start must be seen to end.
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : 2)
  process.stderr.write(`${explainError(error)}\n`, () => process.exit(error instanceof ConfigError ? 2 : 1))
}
