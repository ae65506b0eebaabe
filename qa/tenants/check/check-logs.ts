import type { AcmeProject } from '../acme/acme.ts'
import type { Stack } from '../stack/open-stack.ts'

/**
 * Checks the output of all processes: each line is a JSON object, nothing in the lines about the
 * tenant is redacted, each of its jobs has its lines, and no request or job failed unexpectedly.
 */
export function checkLogs(stack: Stack, projects: readonly AcmeProject[]): string[] {
  const found: string[] = []
  const ids = new Set(projects.flatMap(({ id, jobs }) => [id, ...jobs.keys()]))
  const messages = new Map<string, Set<string>>()
  for (const [name, running] of stack.processes) {
    for (const line of running.output().split('\n').filter(Boolean)) {
      const say = (what: string) => found.push(`${name}: ${what}: ${line.slice(0, 2_000)}`)
      const entry = toEntry(line)
      if (entry === null) {
        say('a line is not JSON')
        continue
      }
      if (entry.level === 'error' || entry.level === 'fatal') say('an error was logged')
      const own = [entry.projectId, entry.jobId].filter((id) => typeof id === 'string' && ids.has(id))
      if (own.length > 0 && line.includes('[redacted]')) say('a line about the tenant is redacted')
      for (const id of own) messages.set(String(id), (messages.get(String(id)) ?? new Set()).add(String(entry.msg)))
    }
  }
  for (const { jobs } of projects) {
    for (const { id, word } of jobs.values()) {
      if (!messages.get(id)?.has('run claimed'))
        found.push(`${id} (${word}): no process logged that its run was claimed`)
    }
  }
  return found
}

function toEntry(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const entry: unknown = JSON.parse(line)
    return typeof entry === 'object' && entry !== null ? (entry as Record<string, unknown>) : null
  } catch {
    return null
  }
}

/** Checks that no process has ended. */
export const checkProcesses = (stack: Stack): string[] =>
  [...stack.processes].flatMap(([name, { child }]) =>
    child.exitCode === null && child.signalCode === null
      ? []
      : [`${name} ended: ${child.exitCode ?? child.signalCode}`],
  )
