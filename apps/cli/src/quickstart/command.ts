import type { Command } from 'commander'
import type { CommandContext } from '../environment/command-context.ts'

export function addQuickstartCommand(program: Command, context: CommandContext): void {
  program
    .command('quickstart')
    .description('start everything, post one job and watch it become a pull request')
    .option('--once', 'end after the first job')
    .option('--repository <url>', 'your documentation repository (needs GITHUB_TOKEN or a GitHub App)')
    .option('--prompt <text>', 'what to change')
    .option('--open', 'open the dashboard in a browser; done by itself in a terminal with a desktop')
    .option('--no-open', 'open nothing')
    .action(async (options: { once?: boolean; repository?: string; prompt?: string; open?: boolean }) => {
      const { runQuickstart } = await import('./run-quickstart.ts')
      context.setExitCode(await runQuickstart(context, { once: options.once ?? false, ...options }))
    })
}
