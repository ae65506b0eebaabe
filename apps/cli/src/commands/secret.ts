import { ensureSigningKey, isWeakSecret, removeSigningKey } from '@corrigenda/core/instance'
import { rotateSecret } from '@corrigenda/core/ops'
import { ConfigError } from '@corrigenda/core/runtime'
import type { Command } from 'commander'
import type { CommandContext } from '../environment/command-context.ts'
import { withDatabaseAccess } from '../environment/with-database-access.ts'
import { printAnswer } from '../terminal/print.ts'

/** Adds `secret rotate`, which uses the database directly. */
export function addSecretCommands(program: Command, context: CommandContext): void {
  const secret = program.command('secret').description('replace the service secret')

  secret
    .command('rotate')
    .description('switch the database from CORRIGENDA_SECRET_PREVIOUS to CORRIGENDA_SECRET while services run')
    .option('--json', 'print one JSON object')
    .action(async (options: { json?: boolean }) => {
      const result = await withDatabaseAccess(context, (access) => {
        const { secret: fresh, previousSecret } = access
        if (previousSecret === null)
          throw new ConfigError(['CORRIGENDA_SECRET_PREVIOUS: is required. Set it to the old secret.'])
        if (previousSecret === fresh) throw new ConfigError(['CORRIGENDA_SECRET: must differ from the old secret'])
        if (isWeakSecret(fresh)) throw new ConfigError([WEAK])
        return rotateSecret(access, { secret: fresh, previousSecret })
      })
      if (result.unreadable.length > 0) context.setExitCode(1)
      printAnswer(context, options.json, result, [
        `The database uses the new secret. Encrypted ${count(result.resealed, 'stored secret')} with it.`,
        ...result.unreadable.map((one) => `${one} cannot be decrypted with either secret. Set it again.`),
        'Remove CORRIGENDA_SECRET_PREVIOUS from every API and worker and restart them.',
      ])
    })
}

const WEAK = 'CORRIGENDA_SECRET: is not random enough. Create a secret with "openssl rand -hex 32".'

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`

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
