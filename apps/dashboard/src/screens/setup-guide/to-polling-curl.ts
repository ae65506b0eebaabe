/**
 * Returns shell lines that create a job and poll every 2 s until it has ended. They require curl
 * and an API key in `CORRIGENDA_KEY`.
 */
export function toPollingCurl(input: { origin: string; projectId: string; prompt: string }): string {
  const { origin, projectId, prompt } = input
  const job = `${origin}/v2/agent/${projectId}/job`
  const body = JSON.stringify({ prompt }).replaceAll("'", "'\\''")
  const call = 'curl -sS -H "Authorization: Bearer $CORRIGENDA_KEY"'
  return [
    'export CORRIGENDA_KEY=cgd_…',
    `id=$(${call} -H 'Content-Type: application/json' -d '${body}' ${job} | sed -n 's/^{"id":"\\([^"]*\\)".*/\\1/p')`,
    `until job=$(${call} ${job}/$id) && case "$job" in *'"status":"active"'*) false;; esac; do sleep 2; done`,
    'echo "$job"',
  ].join('\n')
}
