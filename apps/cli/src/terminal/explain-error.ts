import { ConfigError } from '@corrigenda/core/runtime'
import { explainDatabaseError } from './explain-database-error.ts'
import { explainClientError } from './open-client.ts'

/**
 * Returns the sentence to print for an error: the problem and its fix, without library messages,
 * stack traces or secrets.
 */
export function explainError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof ConfigError) return error.message
  const { code, port, address } = error as NodeJS.ErrnoException & { port?: number; address?: string }
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use. Set PORT (HEALTH_PORT for a worker) to a different port, or stop the process that uses it.`
  if (code === 'EADDRNOTAVAIL')
    return `This machine does not have the IP address ${address}. Set HOST to one of its IP addresses.`
  const sentence = explainClientError(error) ?? explainDatabaseError(error)
  if (sentence !== null) return sentence
  // The last line of a Prisma message states the reason. The lines before it are a source excerpt.
  if (error.name.startsWith('PrismaClient'))
    return `The database rejected the query: ${error.message.trim().split('\n').at(-1)}`
  return error.message
}
