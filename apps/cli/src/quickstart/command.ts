import type { Command } from 'commander'
import type { CommandContext } from '../environment/command-context.ts'

export function addQuickstartCommand(program: Command, context: CommandContext): void {
  program
    .command('quickstart')
    .description('start all services, create one job and show how it becomes a pull request')
    .option('--once', 'exit after the first job')
    .option('--repository <url>', 'your documentation repository (requires GITHUB_TOKEN or a GitHub App)')
    .option('--prompt <text>', 'the change to make')
    .option('--open', 'open the dashboard in a browser (default: only from a terminal in a graphical session)')
    .option('--no-open', 'do not open a browser')
    .action(async (options: { once?: boolean; repository?: string; prompt?: string; open?: boolean }) => {
      const { runQuickstart } = await import('./run-quickstart.ts')
      context.setExitCode(await runQuickstart(context, { once: options.once ?? false, ...options }))
    })
}
