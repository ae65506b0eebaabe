import { DASHBOARD_CODES, ERRORS, type RefusalCode } from '../../http/error-codes.ts'

function describeApi(): string {
  const rows = Object.entries(ERRORS)
    .filter(([code]) => !DASHBOARD_CODES.has(code as RefusalCode))
    .sort(([a, x], [b, y]) => x.status - y.status || (a < b ? -1 : 1))
    .map(([code, { status, meaning }]) => `| \`${code}\` | ${status} | ${meaning} |`)
  return `Post a prompt; an agent edits the project's documentation repository in the background and opens a pull request; poll the job, stream its events or let a webhook tell you.

Every answer carries \`x-request-id\`. Every error is \`{"error": "<sentence>"}\` with a stable code in the header \`x-error-code\`. New fields may be added to answers at any time; ignore those you do not know.

The job endpoints also answer below \`/api/agent/v2/{projectId}/job\`, the other spelling of the same API; it is not listed twice.

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
