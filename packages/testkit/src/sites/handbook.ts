/** A page of the handbook that every fixture site publishes. `[[page#anchor|text]]` is a link, `![[file|alt]]` an image. */
export type HandbookPage = { slug: string; title: string; description: string; body: string }

/** The documentation of a made-up backup program: pages with headings, links among each other, anchors and images. */
export const handbook: readonly HandbookPage[] = [
  {
    slug: 'index',
    title: 'Harbour handbook',
    description: 'Back up databases and folders on a schedule.',
    body: `Harbour copies databases and folders to storage you own, on a schedule you set.

Start with [[guides/install|the installation]], then read how to [[guides/configure#first-schedule|write a first schedule]].

![[overview.svg|How Harbour moves data]]

## Where to go next

- [[guides/restore|Restore a copy]]
- [[reference/cli|Command line]]
- [[help/faq|Questions and answers]]`,
  },
  {
    slug: 'guides/install',
    title: 'Install Harbour',
    description: 'Get the program on a server.',
    body: `Harbour is one binary. It runs on Linux and macOS.

## Requirements

A server with 512 MB of memory and access to the storage. The limits are listed in [[reference/limits#memory|memory limits]].

## Download

\`\`\`sh
curl -fsSL https://harbour.example/install | sh
harbour version # not a link: [guide](/guides/nowhere)
\`\`\`

## Next steps

Continue with [[guides/configure|configuration]]. When something fails, see [[help/faq#it-does-not-start|it does not start]].`,
  },
  {
    slug: 'guides/configure',
    title: 'Configure schedules',
    description: 'Say what is copied, where to, and when.',
    body: `The configuration is one file, \`harbour.toml\`. Every setting is described in [[reference/configuration|the reference]].

## First schedule

\`\`\`toml
[schedule.nightly]
source = "postgres://db/app"
at = "02:00"
\`\`\`

![[schedule.svg|A schedule over a week]]

## Check it

Run \`harbour check\`, described under [[reference/cli#check|check]]. Then [[guides/monitor|watch the first runs]].`,
  },
  {
    slug: 'guides/restore',
    title: 'Restore a copy',
    description: 'Bring data back.',
    body: `A restore never overwrites: it writes beside what is there.

## Find the copy

List the copies with [[reference/cli#list|harbour list]].

## Restore it

Choose a target as in [[guides/configure#first-schedule|the schedule]] and run \`harbour restore\`.

## Test restores

Plan one every month; [[guides/monitor#alerts|alerts]] remind you.`,
  },
  {
    slug: 'guides/monitor',
    title: 'Monitor runs',
    description: 'See what ran and what failed.',
    body: `Every run leaves a record.

## Records

Read them with [[reference/cli#list|list]], or send them on with [[reference/webhooks|webhooks]].

## Alerts

An alert goes out when a run fails twice. The codes are explained in [[reference/errors|errors]].`,
  },
  {
    slug: 'guides/upgrade',
    title: 'Upgrade',
    description: 'Move to a new version.',
    body: `Read the [[about/changelog|changelog]] first.

## Before you begin

Make a copy as in [[guides/restore#find-the-copy|find the copy]].

## Replace the binary

Repeat [[guides/install#download|the download]] and restart.`,
  },
  {
    slug: 'reference/cli',
    title: 'Command line',
    description: 'Every command.',
    body: `All commands read \`harbour.toml\`, see [[reference/configuration|configuration]].

## check

Reads the configuration and says what is wrong.

## list

Lists copies, newest first.

## restore

Writes a copy to a target. The guide is [[guides/restore|Restore a copy]].

## Exit codes

They are listed in [[reference/errors#exit-codes|errors]].`,
  },
  {
    slug: 'reference/configuration',
    title: 'Configuration',
    description: 'Every setting.',
    body: `Settings stand in \`harbour.toml\`. A first one is made in [[guides/configure|the guide]].

## Schedules

| Setting | Meaning |
| --- | --- |
| \`source\` | What is copied |
| \`at\` | When, see [[reference/limits#frequency|frequency]] |

## Storage

Where copies go. [[help/glossary#storage|Storage]] is explained in the glossary.`,
  },
  {
    slug: 'reference/limits',
    title: 'Limits',
    description: 'What Harbour holds to.',
    body: `## Memory

A run takes 200 MB and 2 MB for each table.

## Frequency

At most one run per minute and schedule. More of them is an [[reference/errors#too-often|error]].`,
  },
  {
    slug: 'reference/errors',
    title: 'Errors',
    description: 'Codes and what to do.',
    body: `## Exit codes

\`0\` is success, \`1\` a failed run, \`2\` a bad configuration; [[reference/cli#check|check]] finds it.

## Too often

A schedule fires more often than [[reference/limits#frequency|allowed]].

## Unknown source

The database is not reachable. Ask in [[help/support|support]].`,
  },
  {
    slug: 'reference/webhooks',
    title: 'Webhooks',
    description: 'Tell other programs.',
    body: `A webhook is an HTTP request after each run.

## Body

\`\`\`json
{ "run": "r_1", "state": "failed" }
\`\`\`

## Retries

Three, one minute apart. See [[guides/monitor#alerts|alerts]] and [[help/glossary#run|run]].`,
  },
  {
    slug: 'help/faq',
    title: 'Questions and answers',
    description: 'What people ask.',
    body: `## It does not start

Look for another process on the port, then check [[guides/install#requirements|the requirements]].

## Is it free?

Yes. Paid help is described in [[help/support|support]].`,
  },
  {
    slug: 'help/support',
    title: 'Support',
    description: 'Where to ask.',
    body: `Write to help@harbour.example, with the output of [[reference/cli#check|harbour check]].

![[support.svg|Opening hours]]

## Before you write

Read [[help/faq|the answers]] and [[reference/errors|the errors]].`,
  },
  {
    slug: 'help/glossary',
    title: 'Glossary',
    description: 'Words in this handbook.',
    body: `## Run

One execution of a schedule, see [[guides/monitor#records|records]].

## Storage

A place that keeps copies; it is set in [[reference/configuration#storage|the configuration]].`,
  },
  {
    slug: 'about/changelog',
    title: 'Changelog',
    description: 'What changed.',
    body: `## 2.1

[[reference/webhooks|Webhooks]] are sent again after a failure.

## 2.0

Schedules have names. See [[guides/upgrade|how to upgrade]].`,
  },
]

export const groups: readonly { name: string; folder: string }[] = [
  { name: 'Guides', folder: 'guides' },
  { name: 'Reference', folder: 'reference' },
  { name: 'Help', folder: 'help' },
  { name: 'About', folder: 'about' },
]

export function pagesIn(folder: string): HandbookPage[] {
  return handbook.filter((page) => page.slug.startsWith(`${folder}/`))
}

export const images = ['overview.svg', 'schedule.svg', 'support.svg'] as const

export function drawing(label: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40"><text x="4" y="24">${label}</text></svg>\n`
}
