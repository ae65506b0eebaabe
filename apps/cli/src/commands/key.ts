import { KeyScope } from '@corrigenda/contracts'
import { createKey, listKeys, revokeKey } from '@corrigenda/core/keys'
import { type Command, InvalidArgumentError } from 'commander'
import type { CommandContext } from '../environment/command-context.ts'
import { withDatabaseAccess } from '../environment/with-database-access.ts'
import { printAnswer, toTable } from '../terminal/print.ts'

/** Adds `key create | list | revoke`, which use the database directly. */
export function addKeyCommands(program: Command, context: CommandContext): void {
  const key = program.command('key').description('create, list and revoke API keys')

  key
    .command('create')
    .description('create an API key; it is shown only once')
    .requiredOption('--project <id>', 'project ID')
    .requiredOption('--name <name>', 'name of the service that uses the key')
    .option('--scopes <scopes>', `comma-separated scopes: ${KeyScope.options.join(', ')}`, parseScopes, [
      ...KeyScope.options,
    ])
    .option('--expires <time>', 'validity period: 7d, 30d, 60d, 90d or none', parseExpiry, 90)
    .option(
      '--allow <ranges>',
      'comma-separated IP addresses or ranges that may use the key',
      (text: string) => text.split(','),
      [],
    )
    .option('--json', 'print one JSON object')
    .action(
      async (options: {
        project: string
        name: string
        scopes: KeyScope[]
        expires: number | null
        allow: string[]
        json?: boolean
      }) => {
        const { project: projectId, name, scopes, expires: expiresInDays, allow: allowedCidrs } = options
        const created = await withDatabaseAccess(context, (access) =>
          createKey(access, { projectId, name, scopes, expiresInDays, allowedCidrs }),
        )
        printAnswer(context, options.json, { ...created, expiresAt: created.expiresAt?.toISOString() ?? null }, [
          created.key,
          'Store this key now. It cannot be shown again.',
        ])
      },
    )

  key
    .command('list')
    .description('list keys without their secrets')
    .option('--project <id>', "list only this project's keys")
    .option('--json', 'print one JSON object')
    .action(async (options: { project?: string; json?: boolean }) => {
      const keys = await withDatabaseAccess(context, (access) => listKeys(access, options.project ?? null))
      const rows = keys.map((k) => [
        k.id,
        k.name,
        k.projectId,
        k.scopes.join(','),
        toState(k),
        k.lastUsedAt?.toISOString() ?? 'never',
      ])
      printAnswer(
        context,
        options.json,
        { keys },
        toTable([['ID', 'NAME', 'PROJECT', 'SCOPES', 'STATE', 'LAST USED'], ...rows]),
      )
    })

  key
    .command('revoke')
    .description('revoke a key, effective immediately')
    .argument('<id>', 'key ID: the 12 characters after cgd_')
    .option('--json', 'print one JSON object')
    .action(async (id: string, options: { json?: boolean }) => {
      const revoked = await withDatabaseAccess(context, (access) => revokeKey(access, id))
      printAnswer(context, options.json, { id, revokedAt: revoked.revokedAt.toISOString() }, [`Revoked key ${id}.`])
    })
}

function toState(key: { revokedAt: Date | null; expiresAt: Date | null }): string {
  if (key.revokedAt) return 'revoked'
  if (!key.expiresAt) return 'active'
  return key.expiresAt.getTime() < Date.now() ? 'expired' : `until ${key.expiresAt.toISOString().slice(0, 10)}`
}

function parseScopes(text: string): KeyScope[] {
  return text.split(',').map((name) => {
    const scope = KeyScope.safeParse(name.trim())
    if (!scope.success) throw new InvalidArgumentError(`Valid scopes are ${KeyScope.options.join(', ')}.`)
    return scope.data
  })
}

function parseExpiry(text: string): number | null {
  if (text === 'none') return null
  const [, days] = /^(\d{1,4})d?$/.exec(text) ?? []
  if (days === undefined || Number(days) < 1)
    throw new InvalidArgumentError('Use a number of days, for example 90d, or none.')
  return Number(days)
}
