import { ERRORS, type ErrorFact } from '@corrigenda/contracts'

function describeApi(): string {
  const rows = Object.entries<ErrorFact>(ERRORS)
    .filter(([, { isDashboardOnly }]) => !isDashboardOnly)
    .sort(([a, x], [b, y]) => x.status - y.status || (a < b ? -1 : 1))
    .map(([code, { status, meaning }]) => `| \`${code}\` | ${status} | ${meaning} |`)
  return `Create a job with a prompt. An agent edits the project's documentation repository in the background and opens a pull request. Poll the job, stream its events, or receive webhooks.

Every response has the \`x-request-id\` header. Every error response is \`{"error": "<sentence>"}\`, with a stable code in the \`x-error-code\` header. New fields may be added to responses at any time. Ignore unknown fields.

The job endpoints are also available at \`/api/agent/v2/{projectId}/job\`. These aliases are not listed separately.

<details>
<summary>Error codes</summary>

| Code | Status | Meaning |
|---|---|---|
${rows.join('\n')}

</details>
`
}

/** The `info` section of the document. */
export const INFO = {
  title: 'Corrigenda',
  summary: 'Turns a sentence into a pull request on a documentation repository.',
  description: describeApi(),
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
}
