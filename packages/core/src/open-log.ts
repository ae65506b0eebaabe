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
  const secrets = input.secrets
    .filter((secret) => secret.length >= 8)
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
  const stream: DestinationStream = { write: (line) => out.write(redactLine(line, secrets)) }
  return pino(
    {
      level: input.level,
      base: input.name ? { name: input.name } : {},
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    stream,
  )
}

// Keys of ours and of the services we talk to; also when they are not configured here but arrive in a prompt or an error.
const PATTERNS = [
  /cgd_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}/g,
  /sk-ant-[\w-]{16,}/g,
  /gh[pousr]_[\w.-]{20,}/g,
  /github_pat_\w{20,}/g,
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
