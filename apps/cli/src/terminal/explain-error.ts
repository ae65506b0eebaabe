import { isConnectionError } from '@corrigenda/core/db'
import { ConfigError } from '@corrigenda/core/runtime'
import { explainClientError } from './open-client.ts'

/** One sentence per common database error, keyed by SQLSTATE, Prisma and Node.js error codes. */
const SENTENCES: readonly (readonly [codes: readonly string[], sentence: string])[] = [
  [['P2021', '42P01'], 'The database is not migrated. Run "corrigenda migrate".'],
  [['P2022', '42703'], 'The database has pending migrations. Run "corrigenda migrate".'],
  [['P1000', '28P01', '28000'], 'The database rejected the user name or password. Check DATABASE_URL.'],
  [['P1003', '3D000'], 'The database in DATABASE_URL does not exist. Create it, then run "corrigenda migrate".'],
  [['53300', 'P2037'], 'The database has no free connections. Increase max_connections or start fewer processes.'],
  [['57P03'], 'The database is starting up or shutting down. Try again in a moment.'],
]
/** Node.js error codes of a certificate that is not trusted, or is for another name. */
const CERTIFICATE =
  /^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_[A-Z_]+|CERT_[A-Z_]+|ERR_TLS_CERT_ALTNAME_INVALID)$/
const NETWORK = /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/

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

/**
 * Returns a sentence that states the database problem and its fix, or null for other errors. Never
 * includes the password.
 */
export function explainDatabaseError(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const { code = '', syscall } = error as NodeJS.ErrnoException
  const adapter = findAdapterError(error)
  const tls = explainTls(error, adapter)
  if (tls !== null) return tls
  for (const known of [adapter?.originalCode, code]) {
    for (const [codes, sentence] of SENTENCES) if (known && codes.includes(known)) return sentence
  }
  // Drivers pass socket errors through. Errors from listening on a port have the same shape, so the
  // syscall is checked.
  const isSocket = NETWORK.test(code) && (syscall === undefined || /^(connect|getaddrinfo|read)$/.test(syscall))
  const isDriver =
    error.name.startsWith('PrismaClient') || /^timeout exceeded when trying to connect/.test(error.message)
  if (!isSocket && !(isDriver && isConnectionError(error))) return null
  const address = toAddress(adapter) ?? toAddress(error) ?? toAddress((error as AggregateError).errors?.[0])
  return `The database is unreachable${address === null ? '' : ` at ${address}`}. Check DATABASE_URL and make sure the server is running.`
}

function explainTls(error: Error, adapter: AdapterError | null): string | null {
  const { code = '' } = error as NodeJS.ErrnoException
  const message = adapter?.reason ?? adapter?.originalMessage ?? error.message
  if (/^The server does not support SSL connections/.test(message))
    return 'The database does not offer TLS. Remove sslmode from DATABASE_URL, or enable ssl in PostgreSQL.'
  if (CERTIFICATE.test(code) || adapter?.kind === 'TlsConnectionError')
    return `The certificate of the database is not trusted (${message}). Set sslrootcert in DATABASE_URL to the file of its authority, and use the host name in the certificate.`
  return /no encryption/.test(message) && [code, adapter?.originalCode].includes('28000')
    ? 'The database requires TLS. Add ?sslmode=verify-full to DATABASE_URL.'
    : null
}

interface AdapterError {
  readonly kind?: string
  /** Of a `TlsConnectionError`. */
  readonly reason?: string
  readonly originalMessage?: string
  readonly originalCode?: string
  readonly host?: string
  readonly port?: number
}

/** Returns the driver error that Prisma's Postgres adapter wraps. */
function findAdapterError(error: Error): AdapterError | null {
  const { meta } = error as { meta?: { driverAdapterError?: { cause?: AdapterError } } }
  return meta?.driverAdapterError?.cause ?? null
}

function toAddress(from: unknown): string | null {
  if (!(from instanceof Object)) return null
  const { address, hostname, host, port } = from as Record<string, unknown>
  const name = [address, hostname, host].find((value) => typeof value === 'string')
  if (name === undefined) return null
  return port === undefined ? String(name) : `${name}:${port}`
}
