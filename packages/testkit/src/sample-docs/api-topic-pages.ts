export const apiTopicPages: Readonly<Record<string, string>> = {
  'api/authentication': `---
title: Authentication
description: Access tokens, their scopes and how to rotate them.
---

Send a token with every request:

\`\`\`http
GET /v2/jobs HTTP/1.1
Host: tidewater.internal
Authorization: Bearer twt_example
\`\`\`

## Create a token

\`\`\`bash
tidewater token create --name ci --scope runs:write --expires 90d --output text
\`\`\`

The token is shown once. Store it where your other secrets are.

## Scopes

| Scope | Allows |
| --- | --- |
| \`jobs:read\` | reading jobs, schedules and runs |
| \`jobs:write\` | applying and pausing jobs |
| \`runs:write\` | starting and cancelling runs |
| \`admin\` | tokens, secrets and webhooks |

## Rotate

Tokens may overlap. Create the new one, put it into use, and revoke the old one:

\`\`\`bash
tidewater token revoke ci-2025
\`\`\`

<Warning>
  A token in a \`tidewater.yaml\` is refused by \`tidewater apply\`. Use a [secret](/guides/secrets) instead.
</Warning>
`,
  'api/webhooks': `---
title: Webhook events
description: The body and headers of every call.
---

| Event | When |
| --- | --- |
| \`run.started\` | a worker has taken the first attempt |
| \`run.succeeded\` | the run ended well |
| \`run.failed\` | no attempt is left |
| \`run.missed\` | it could not start within its grace period |
| \`job.paused\` | somebody paused a job |

\`\`\`json
{
  "id": "evt_01J8ZB",
  "type": "run.failed",
  "at": "2026-02-03T02:04:11.120Z",
  "run": { "id": "01J8Z4", "job": "nightly-export", "state": "failed", "attempt": 3, "exit_code": 1 }
}
\`\`\`

## Headers

\`Webhook-Id\`, \`Webhook-Timestamp\` and \`Webhook-Signature\`. The signature is an HMAC with SHA-256 over id, timestamp and body, joined
by dots. Refuse timestamps more than five minutes away from now.

Calls may arrive twice and out of order. Keep the ids that you have seen, and trust \`at\` rather than the order.
How to set one up is in [Notifications by webhook](/guides/webhooks).
`,
  'api/errors': `---
title: Errors
description: One shape for all errors, and what the codes mean.
---

\`\`\`json
{
  "error": {
    "code": "invalid_schedule",
    "message": "\\"every 7 parsecs\\" is not an interval.",
    "path": "jobs.greet.schedule"
  }
}
\`\`\`

\`message\` is for people and may change. \`code\` is for programs and does not. \`path\` is there when a part of your request is to blame.

| Status | Code | What to do |
| --- | --- | --- |
| 400 | \`malformed\` | the body is not what \`Content-Type\` says |
| 401 | \`unauthenticated\` | send a valid token |
| 403 | \`missing_scope\` | the token lacks a [scope](/api/authentication#scopes) |
| 404 | \`job_not_found\`, \`run_not_found\` | check the name |
| 409 | \`conflict\`, \`run_ended\` | read again and decide |
| 422 | \`invalid_schedule\`, \`invalid_job\` | mend the place in \`path\` |
| 429 | \`rate_limited\` | wait for \`Retry-After\` |
| 503 | \`no_leader\` | try again in a few seconds |

The SDKs raise one error class per code; see [TypeScript](/sdk/typescript#errors).
`,
  'api/pagination': `---
title: Pagination
description: Walk through long lists without missing anything.
---

Lists answer with a page and, if there is more, a cursor:

\`\`\`json
{ "runs": [], "next": "c_8Jk2" }
\`\`\`

Ask for the next page with it, and leave everything else as it was:

\`\`\`bash
curl -H "Authorization: Bearer $TIDEWATER_TOKEN" \\
  "https://tidewater.internal/v2/runs?state=failed&limit=100&cursor=c_8Jk2"
\`\`\`

When \`next\` is null you have seen everything that existed when you began. Runs that are created meanwhile are not mixed in.

<Note>
  Cursors are good for an hour. Do not store them, and do not read anything out of them.
</Note>
`,
}
