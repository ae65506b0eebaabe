import { SaveCredentialRequest } from '@corrigenda/contracts'
import { AppError } from '@corrigenda/core/base'
import { deleteSourceCredential, saveSourceCredential } from '@corrigenda/core/credentials'
import type { Command } from 'commander'
import type { CommandContext } from '../environment/command-context.ts'
import { withDatabaseAccess } from '../environment/with-database-access.ts'
import { askSecret } from '../terminal/ask-secret.ts'
import { printAnswer } from '../terminal/print.ts'

/**
 * Adds `project source-token`, which uses the database directly. The token is not an argument,
 * because other users of the machine can see the arguments of a process.
 */
export function addSourceTokenCommand(project: Command, context: CommandContext): void {
  project
    .command('source-token')
    .description('save the access token of a source; prompts for it or reads it from standard input')
    .argument('<id>', 'project ID')
    .argument('<source>', "name of the source in the project's settings")
    .option('--remove', "remove the token, so that the project's credential is used")
    .option('--json', 'print one JSON object')
    .action(async (projectId: string, source: string, options: { remove?: boolean; json?: boolean }) => {
      const isRemoved = options.remove === true
      await withDatabaseAccess(context, async (access) => {
        if (isRemoved) return deleteSourceCredential(access, { projectId, source })
        const token = toToken(await askSecret(context, { question: 'Access token: ', noun: 'token' }))
        await saveSourceCredential(access, { projectId, source, token }).catch((error) => {
          if (!(error instanceof AppError) || error.code !== 'not_found') throw error
          throw new Error(`The project ${projectId} does not exist or has no source ${source}.`)
        })
      })
      printAnswer(context, options.json, { projectId, source, removed: isRemoved }, [
        isRemoved ? `The source ${source} has no token of its own.` : `Saved the token of the source ${source}.`,
      ])
    })
}

/** @throws Error that states the problem, without the token */
function toToken(text: string): string {
  const parsed = SaveCredentialRequest.safeParse({ token: text })
  if (parsed.success) return parsed.data.token
  throw new Error(`The token ${parsed.error.issues[0]?.message ?? 'is not valid'}.`)
}
