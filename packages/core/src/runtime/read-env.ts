import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { type AllowedHosts, type DeclaredGitHost, GIT_HOST_KINDS } from '@corrigenda/contracts'
import { z } from 'zod'
import { HOOK_HOST } from '../hook-addresses/find-hook-grant.ts'

/** A process's environment variables. */
export type Env = Readonly<Record<string, string | undefined>>

/** Invalid configuration. The message lists every problem on a separate line. */
export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(`The configuration is invalid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
    this.name = 'ConfigError'
  }
}

/**
 * Parses a process's settings from the environment according to a schema. For every name,
 * `NAME_FILE` may contain the path to a file that contains the value, as is common for container
 * secrets. An empty value counts as absent.
 * @param findProblems checks rules that involve several settings. It receives the unparsed values,
 * so that it reports problems even when another setting is invalid.
 * @throws ConfigError with all problems
 */
export function readEnv<S extends z.ZodObject>(
  schema: S,
  env: Env,
  findProblems: (values: Env) => readonly string[] = () => [],
): z.infer<S> {
  const problems: string[] = []
  const values: Record<string, string> = {}
  for (const name of Object.keys(schema.shape)) {
    const value = env[name] || readSecretFile(name, env, problems)
    if (value) values[name] = value
  }
  const parsed = schema.safeParse(values)
  if (!parsed.success)
    problems.push(...parsed.error.issues.map((issue) => `${issue.path.join('.') || 'settings'}: ${issue.message}`))
  problems.push(...findProblems(values))
  if (problems.length > 0 || !parsed.success) throw new ConfigError(problems)
  return parsed.data
}

function readSecretFile(name: string, env: Env, problems: string[]): string | undefined {
  const file = env[`${name}_FILE`]
  if (!file) return undefined
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    problems.push(`${name}_FILE: the file cannot be read`)
    return undefined
  }
}

/** Returns a schema for an integer within bounds, parsed from text. */
export function integer(min: number, max: number) {
  const message = `must be a whole number between ${group(min)} and ${group(max)}`
  return z.coerce.number(message).int(message).min(min, message).max(max, message)
}

/** Returns a schema for a number within bounds, parsed from text. */
export function number(min: number, max: number) {
  const message = `must be a number between ${group(min)} and ${group(max)}`
  return z.coerce.number(message).min(min, message).max(max, message)
}

/** An amount of money, parsed from text. */
export const amount = z.coerce.number('must be a number greater than 0').positive('must be a number greater than 0')

const group = (value: number): string => value.toLocaleString('en-US')

const HOST = /^(\[[0-9a-f:]+\]|[a-z0-9.-]+)(:\d{1,5})?$/

/** Comma-separated `host` or `host:port` values, converted to lowercase. */
export const hosts = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((host) => host.trim().toLowerCase())
      .filter(Boolean),
  )
  .refine((list) => list.every((host) => HOST.test(host)), {
    message: 'must be host or host:port values separated by commas',
  })

/** Comma-separated entries of GIT_HOSTS: `host[:port][/path]=kind`. */
export const gitHosts = z.string().transform((text, context): DeclaredGitHost[] =>
  toEntries(text).map(([place = '', kind = '']) => {
    const [, host = '', basePath = ''] = /^([^/]*)(\/[^?#]*?)?\/*$/.exec(place) ?? []
    const known = GIT_HOST_KINDS.find((one) => one === kind.toLowerCase())
    if (known !== undefined && HOST.test(host.toLowerCase())) return { host: host.toLowerCase(), kind: known, basePath }
    context.addIssue(`must be host=kind values separated by commas, where kind is ${GIT_HOST_KINDS.join(', ')}`)
    return z.NEVER
  }),
)

/** Comma-separated entries of GIT_HOST_TOKENS: `host[:port]=token`. */
export const gitHostTokens = z
  .string()
  .transform((text) => new Map(toEntries(text).map(([host = '', token = '']) => [host.toLowerCase(), token])))
  .refine((tokens) => [...tokens].every(([host, token]) => HOST.test(host) && token !== ''), {
    message: 'must be host=token values separated by commas',
  })

function toEntries(text: string): string[][] {
  const entries = text.split(',').map((entry) => entry.trim())
  return entries.filter(Boolean).map((entry) => {
    const at = entry.indexOf('=')
    return at < 0 ? [entry] : [entry.slice(0, at).trim(), entry.slice(at + 1).trim()]
  })
}

/** Returns the hosts of both settings. A declared host is allowed. */
export function toAllowedHosts(settings: {
  readonly ALLOWED_REPOSITORY_HOSTS: readonly string[]
  readonly GIT_HOSTS: readonly DeclaredGitHost[]
}): AllowedHosts {
  const { ALLOWED_REPOSITORY_HOSTS: allowed, GIT_HOSTS: declared } = settings
  return [...declared, ...allowed.filter((host) => declared.every((one) => one.host !== host))]
}

/** Comma-separated entries of ALLOWED_HOOK_HOSTS: `[project=]host[:port][/path]`. */
export const hookHosts = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((entry) => entry.trim())
      .filter(Boolean),
  )
  .refine((list) => list.every((entry) => HOOK_HOST.test(entry)), {
    message:
      'must be host, host:port or host:port/path values separated by commas. To allow a host for one project only, write prj_…=host:port',
  })

/** A setting that is `true` or `false`. */
export const trueOrFalse = z.enum(['true', 'false'], 'must be true or false')

export const logLevel = z.enum(
  ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
  'must be fatal, error, warn, info, debug, trace or silent',
)

/** Lines of JSON, or of text for people. */
export const logFormat = z.enum(['json', 'pretty'], 'must be json or pretty')

/** Address of a proxy for outgoing connections. */
export const proxyUrl = z
  .url({
    protocol: /^https?$/,
    error: 'must be a URL such as http://user:password@proxy.example.com:3128',
    // The next checks need a URL.
    abort: true,
  })
  .refine((text) => {
    const { pathname, search, hash } = new URL(text)
    return pathname === '/' && search === '' && hash === ''
  }, 'must have no path and no query')
  .refine((text) => isEncoded(new URL(text)), 'must have percent-encoded credentials: write % as %25')

function isEncoded({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username)
    decodeURIComponent(password)
    return true
  } catch {
    return false
  }
}

/** Addresses and ranges, or a function that returns true for each trusted hop (0 is the nearest). */
export type TrustedProxies = string | ((address: string, hop: number) => boolean)

const trustHops = (count: number) => (_address: string, hop: number) => hop < count

/**
 * Proxies whose X-Forwarded-For header is trusted: the number of proxies in front of the service
 * (1 to 10), or a comma-separated list of addresses, ranges and Fastify's range names. `true` means
 * one proxy. Fastify's `true` trusts the whole header, so that clients could choose their address.
 */
export const trustedProxies = z
  .string()
  .refine((text) => HOPS.test(text) || text.split(',').every((part) => isProxy(part.trim())), {
    message:
      'must be the number of proxies in front of the service, or a comma-separated list of proxy addresses, ranges such as 192.168.0.0/16, and the names loopback, linklocal and uniquelocal. Omit it to trust no proxy',
  })
  .transform((text): TrustedProxies => (HOPS.test(text) ? trustHops(text === 'true' ? 1 : Number(text)) : text))

const HOPS = /^(?:true|[1-9]|10)$/

function isProxy(part: string): boolean {
  if (/^(loopback|linklocal|uniquelocal)$/.test(part)) return true
  const [address = '', bits, ...rest] = part.split('/')
  const version = address.includes('%') ? 0 : isIP(address)
  if (version === 0 || rest.length > 0) return false
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}
