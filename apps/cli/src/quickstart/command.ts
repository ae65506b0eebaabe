import type { Env } from '@corrigenda/core/runtime'
import type { Command } from 'commander'

export function addQuickstartCommand(program: Command, env: Env): void {
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
      process.exitCode = await runQuickstart(env, { once: options.once ?? false, ...options })
    })
}
