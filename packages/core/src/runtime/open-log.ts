import pino, { type DestinationStream, type Logger } from 'pino'

export type Log = Logger

/**
 * Opens a structured log with one JSON object per line. Redacts `secrets` and text in a known key
 * format anywhere in the finished line, because a library's error message can contain a secret.
 */
export function openLog(input: {
  level: string
  /** Default: `json`. */
  format?: 'json' | 'pretty'
  secrets: readonly string[]
  destination?: DestinationStream
  name?: string
}): Log {
  const out = input.destination ?? pino.destination({ dest: 1, sync: true })
  const secrets = input.secrets.flatMap(toForms)
  const stream: DestinationStream = {
    write: (line) => {
      const redacted = redactLine(line, secrets)
      return out.write(input.format === 'pretty' ? toPrettyLine(redacted) : redacted)
    },
  }
  const log = pino(
    {
      level: input.level,
      base: input.name ? { name: input.name } : {},
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    stream,
  )
  // Child loggers inherit this property.
  return Object.assign(log, { [HIDDEN]: secrets })
}

/** Converts a line of JSON to `12:00:00 INFO worker: run claimed attempt=1`, with a stack below it. */
function toPrettyLine(line: string): string {
  const { time, level, name, msg, err, ...fields } = JSON.parse(line) as Record<string, string> & {
    err?: { message?: string; stack?: string }
  }
  const facts = Object.entries(fields).map(([key, value]) => ` ${key}=${JSON.stringify(value)}`)
  const stack = err ? `\n${err.stack ?? err.message}` : ''
  return `${time?.slice(11, 19)} ${level?.toUpperCase()} ${name ?? 'corrigenda'}: ${msg ?? ''}${facts.join('')}${stack}\n`
}

const HIDDEN = Symbol('secrets redacted by this log')

/**
 * Adds a secret that was read after the log was opened. The log and its children redact it from now
 * on.
 */
export function hideInLog(log: Log, secret: string): void {
  const hidden = (log as Log & { [HIDDEN]?: string[] })[HIDDEN]
  for (const form of toForms(secret)) if (hidden && !hidden.includes(form)) hidden.push(form)
}

/**
 * Returns the plain and JSON-escaped forms of a secret, or nothing for a short one, which would
 * match too often.
 */
const toForms = (secret: string): string[] => (secret.length < 8 ? [] : [secret, JSON.stringify(secret).slice(1, -1)])

// Key formats of Corrigenda and the services that it calls. Such keys may occur in a prompt or an
// error even if they are not configured here.
const PATTERNS = [
  /cgd_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}/g,
  /cgj_[0-9A-Za-z]{12}_[0-9a-z]{26}_[0-9]{10}_[0-9a-f]{64}/g,
  /sk-ant-[\w-]{16,}/g,
  /gh[pousr]_[\w.-]{20,}/g,
  /github_pat_\w{20,}/g,
  /glpat-[\w.-]{20,}/g,
  /whsec_[\w+/=-]{20,}/g,
  /(?<=:\/\/[^\s:/@"]{0,64}:)[^\s@/"]+(?=@)/g,
  /(?<=[Bb](?:earer|asic) )[\w.~+/=-]{16,}/g,
]

/** Replaces secrets in a finished log line. */
function redactLine(line: string, secrets: readonly string[]): string {
  let out = line
  for (const secret of secrets) if (out.includes(secret)) out = out.replaceAll(secret, '[redacted]')
  for (const pattern of PATTERNS) out = out.replace(pattern, '[redacted]')
  return out
}
