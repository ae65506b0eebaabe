import type { Command } from 'commander'
import type { ApplyOptions } from '../apply/run-apply.ts'
import type { CommandContext } from '../environment/command-context.ts'
import { withDatabaseAccess } from '../environment/with-database-access.ts'

/** Adds `apply` and `export`, which use the database directly. Their modules are loaded on demand. */
export function addApplyCommands(program: Command, context: CommandContext): void {
  program
    .command('apply')
    .description('create and update projects, keys, webhooks and members as a YAML file declares them')
    .requiredOption('-f, --file <file>', 'declaration; use - for standard input')
    .option('--dry-run', 'print the changes without making them')
    .option('--check', 'like --dry-run, but exit with 1 if there are changes')
    .option('--prune', 'also remove sources, keys, webhooks and members that the lists of a project do not contain')
    .option('--json', 'print one JSON object')
    .action(async (options: ApplyOptions) => {
      const { runApply } = await import('../apply/run-apply.ts')
      await runApply(context, options)
    })

  program
    .command('export')
    .description('print projects as a YAML file for "apply", without secrets')
    .option('--project <id>', 'only this project')
    .action(async (options: { project?: string }) => {
      const { exportProjects } = await import('../apply/export-projects.ts')
      const text = await withDatabaseAccess(context, (access) => exportProjects(access, options.project ?? null))
      context.stdout.write(text)
    })
}
