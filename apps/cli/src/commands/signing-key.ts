import { ensureSigningKey, removeSigningKey } from '@corrigenda/core/instance'
import type { Command } from 'commander'
import type { CommandContext } from '../environment/command-context.ts'
import { withDatabaseAccess } from '../environment/with-database-access.ts'
import { printAnswer } from '../terminal/print.ts'

/** Adds `signing-key`, which uses the database directly. */
export function addSigningKeyCommand(program: Command, context: CommandContext): void {
  program
    .command('signing-key')
    .description('print the public key that signs commits; the first call creates the key and turns signing on')
    .option('--remove', 'delete the key and turn signing off')
    .option('--json', 'print one JSON object')
    .action(async ({ remove, json }: { remove?: boolean; json?: boolean }) => {
      if (remove) {
        const removed = await withDatabaseAccess(context, removeSigningKey)
        const text = removed ? 'Deleted the signing key. New commits are not signed.' : 'Commits are not signed.'
        printAnswer(context, json, { removed }, [text])
        return
      }
      const { publicKey } = await withDatabaseAccess(context, ensureSigningKey)
      printAnswer(context, json, { publicKey }, [publicKey])
    })
}
