export const cliSettingPages: Readonly<Record<string, string>> = {
  'cli/login': `---
title: tidewater login
description: Connect the command line to a server.
---

\`\`\`bash
tidewater login https://tidewater.internal
\`\`\`

A browser opens, you confirm, and the token is written to the keychain of your system. Where there is no browser, use
\`tidewater login --device\` and enter the code that is shown on another machine.

## In automation

Create a token and pass it through the environment:

\`\`\`bash
export TIDEWATER_URL=https://tidewater.internal
export TIDEWATER_TOKEN=twt_example
tidewater list --output json
\`\`\`

Tokens are described in [Authentication](/api/authentication).

## Several servers

Log in to each with a name, and choose by name:

\`\`\`bash
tidewater login https://staging.internal --as staging
tidewater list --server staging
\`\`\`

\`tidewater logout staging\` forgets one of them.
`,
  'cli/config': `---
title: Configuration file
description: Settings for the command line that you do not want to repeat.
---

The command line reads \`~/.config/tidewater/config.toml\` if it is there.

\`\`\`toml config.toml
server = "production"
output = "text"
timeout = "1m"

[servers.production]
url = "https://tidewater.internal"

[servers.staging]
url = "https://staging.internal"
\`\`\`

| Key | Environment | Flag |
| --- | --- | --- |
| \`server\` | \`TIDEWATER_SERVER\` | \`--server\` |
| \`output\` | \`TIDEWATER_OUTPUT\` | \`--output text\` and the like |
| \`timeout\` | \`TIDEWATER_TIMEOUT\` | \`--timeout\` |
| \`color\` | \`NO_COLOR\` | \`--no-color\` |

Tokens do not belong in this file. \`tidewater login\` keeps them in the keychain, see [tidewater login](/cli/login).

## Check it

\`\`\`bash
tidewater config show
\`\`\`

Unknown keys are an error, so that a typing mistake does not go unnoticed.
`,
  'cli/output-formats': `---
title: Output formats
description: Text for people, wide text for wide screens, JSON for programs.
---

Every command that prints a result takes \`--output\`.

## text

\`\`\`bash
tidewater list --output text
\`\`\`

The default. Columns are aligned, times are relative, and colour is used when the output is a terminal.

## wide

As \`text\`, with every column. Meant for large screens and for \`less -S\`.

## json

\`\`\`bash
tidewater list --output json
\`\`\`

One JSON document: an array for lists, an object otherwise. Times are ISO 8601 in UTC. Errors are JSON as well, on standard error:

\`\`\`json
{ "error": { "code": "job_not_found", "message": "There is no job nightly-exprt. Did you mean nightly-export?" } }
\`\`\`

<Tip>
  Set the format once with \`TIDEWATER_OUTPUT=json\` in continuous integration. A \`--output text\` on the command line still wins.
</Tip>

## Stability

\`json\` only gains fields within a major version. \`text\` and \`wide\` are for eyes: columns may move, words may change.
`,
  'cli/exit-codes': `---
title: Exit codes
description: What the command line ends with, and why.
---

| Code | Meaning |
| --- | --- |
| 0 | done; for \`tidewater run\`, the run succeeded |
| 1 | something went wrong that has no code of its own |
| 2 | the command was written wrongly |
| 3 | the run failed |
| 4 | there is no such job, run or server |
| 5 | not logged in, or not allowed |
| 6 | it took longer than \`--timeout\` or \`--wait-start\` |
| 130 | you pressed Ctrl-C |

## In a script

\`\`\`bash
tidewater run nightly-export --quiet
case $? in
  0) echo "exported" ;;
  3) echo "the export failed" >&2; exit 1 ;;
  *) echo "could not ask Tidewater" >&2; exit 2 ;;
esac
\`\`\`

Codes that the job itself ends with are not passed on: they are in the run's \`exit_code\`, see [Runs](/api/runs#the-run-object).
`,
}
