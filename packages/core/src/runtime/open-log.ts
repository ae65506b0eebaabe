import pino, { type DestinationStream, type Logger } from 'pino'

export type Log = Logger

/**
 * Structured log, one JSON object a line. Exact `secrets` never get out, wherever they stand: the finished line is searched for them, because
 * a secret can arrive inside an error message of a library.
 */
export function openLog(input: {
  level: string
  secrets: readonly string[]
  destination?: DestinationStream
  name?: string
}): Log {
  const out = input.destination ?? pino.destination({ dest: 1, sync: true })
  const secrets = input.secrets.flatMap(toForms)
  const stream: DestinationStream = { write: (line) => out.write(redactLine(line, secrets)) }
  const log = pino(
    {
      level: input.level,
      base: input.name ? { name: input.name } : {},
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    stream,
  )
  // Children inherit it, as they inherit everything.
  return Object.assign(log, { [HIDDEN]: secrets })
}

const HIDDEN = Symbol('secrets that this log hides')

/** From now on the log and its children hide this secret, too: it was read after the log was opened. */
export function hideInLog(log: Log, secret: string): void {
  const hidden = (log as Log & { [HIDDEN]?: string[] })[HIDDEN]
  for (const form of toForms(secret)) if (hidden && !hidden.includes(form)) hidden.push(form)
}

/** As it is, and as it stands in JSON. Shorter ones would be found in any line. */
const toForms = (secret: string): string[] => (secret.length < 8 ? [] : [secret, JSON.stringify(secret).slice(1, -1)])

// Keys of ours and of the services we talk to; also when they are not configured here but arrive in a prompt or an error.
const PATTERNS = [
  /cgd_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}/g,
  /sk-ant-[\w-]{16,}/g,
  /gh[pousr]_[\w.-]{20,}/g,
  /github_pat_\w{20,}/g,
  /glpat-[\w.-]{20,}/g,
  /whsec_[\w+/=-]{20,}/g,
  /(?<=:\/\/[^\s:/@"]{0,64}:)[^\s@/"]+(?=@)/g,
  /(?<=[Bb](?:earer|asic) )[\w.~+/=-]{16,}/g,
]

/** Replaces secrets in a finished log line. */
export function redactLine(line: string, secrets: readonly string[]): string {
  let out = line
  for (const secret of secrets) if (out.includes(secret)) out = out.replaceAll(secret, '[redacted]')
  for (const pattern of PATTERNS) out = out.replace(pattern, '[redacted]')
  return out
}
