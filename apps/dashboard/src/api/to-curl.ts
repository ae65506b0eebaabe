import type { CreateAgentJobRequest } from '@corrigenda/contracts'
import { toAgentPath } from './request.ts'

/**
 * Returns the curl command that creates this job. The shell must provide an API key in
 * CORRIGENDA_API_KEY.
 */
export function toCurl(input: { origin: string; projectId: string; body: CreateAgentJobRequest }): string {
  const { origin, projectId, body } = input
  return [
    'curl -X POST',
    quote(`${origin}${toAgentPath(projectId, 'job')}`),
    '-H "Authorization: Bearer $CORRIGENDA_API_KEY"',
    "-H 'Content-Type: application/json'",
    `-d ${quote(JSON.stringify(body))}`,
  ].join(' \\\n  ')
}

/** Quotes any text as a single POSIX shell word. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
