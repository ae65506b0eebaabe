import type { CreateAgentJobRequest } from '@corrigenda/contracts'
import { toAgentPath } from './to-project-path.ts'

/** The command that creates this job, to be pasted into a shell that has a key in CORRIGENDA_KEY. */
export function toCurl(input: { origin: string; projectId: string; body: CreateAgentJobRequest }): string {
  const { origin, projectId, body } = input
  return [
    'curl -X POST',
    quote(`${origin}${toAgentPath(projectId, 'job')}`),
    '-H "Authorization: Bearer $CORRIGENDA_KEY"',
    "-H 'Content-Type: application/json'",
    `-d ${quote(JSON.stringify(body))}`,
  ].join(' \\\n  ')
}

/** One word for a POSIX shell, whatever is in it. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
