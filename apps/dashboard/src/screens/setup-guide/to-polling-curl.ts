/**
 * Returns shell commands that create a job and poll it every 2 s until it ends. They require curl.
 * The user replaces the placeholder in `CORRIGENDA_API_KEY` with an API key.
 */
export function toPollingCurl(input: { origin: string; projectId: string; prompt: string }): string {
  const { origin, projectId, prompt } = input
  const job = `${origin}/v2/agent/${projectId}/job`
  const body = JSON.stringify({ prompt }).replaceAll("'", "'\\''")
  const call = 'curl -sS -H "Authorization: Bearer $CORRIGENDA_API_KEY"'
  return [
    'export CORRIGENDA_API_KEY=cgd_…',
    `id=$(${call} -H 'Content-Type: application/json' -d '${body}' ${job} | sed -n 's/^{"id":"\\([^"]*\\)".*/\\1/p')`,
    `until job=$(${call} ${job}/$id) && case "$job" in *'"status":"active"'*) false;; esac; do sleep 2; done`,
    'echo "$job"',
  ].join('\n')
}
