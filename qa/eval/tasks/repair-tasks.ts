import type { Task } from '../task/task.ts'
import { buildEditTask, type EditTask, getText } from './build-task.ts'
import { edit, reflow, write } from './steps.ts'

interface Fault {
  readonly name: string
  readonly site: EditTask['site']
  readonly path: string
  /** The correct text in the repository, and the text with the fault. */
  readonly right: string
  readonly wrong: string
  readonly prompt: string
  readonly title: string
  /** A wrong repair. */
  readonly bad: readonly [how: string, text: string]
  /** A second mistake, as an edit to the repaired file. */
  readonly extra: readonly [how: string, old: string, text: string]
  readonly graders?: EditTask['graders']
}

/** Builds a task with a fault in a correct page. The repair is the original page, byte for byte. */
function buildRepairTask(fault: Fault): Task {
  const { name, site, path, right, wrong, prompt, title, bad, extra } = fault
  const fix = edit(path, wrong, right)
  return buildEditTask({
    family: 'repair',
    name,
    site,
    prompt,
    title,
    overlay: { [path]: getText(site, path).replace(right, () => wrong) },
    steps: [fix],
    graders: [{ kind: 'same-as-gold', path }, ...(fault.graders ?? [])],
    spoiled: [
      [bad[0], [edit(path, wrong, bad[1])]],
      [extra[0], [fix, edit(path, extra[1], extra[2])]],
      ['a paragraph reflowed', toReflowed(fault, [fix])],
    ],
  })
}

function toReflowed({ site, path }: Fault, steps: NonNullable<EditTask['steps']>) {
  try {
    return reflow(site, steps, path)
  } catch {
    // If the file has no prose to reflow, adds a newline at its end.
    return [write(path, `${getText(site, path)}\n`)]
  }
}

/** Tasks that repair one fault and change nothing else. */
export const repairTasks: readonly Task[] = [
  buildRepairTask({
    name: 'link-typo',
    site: 'tidewater',
    path: 'guides/calendars.mdx',
    right: '(/cli/schedule#preview)',
    wrong: '(/cli/schedules#preview)',
    prompt: 'The link at the end of guides/calendars leads nowhere. Mend it.',
    title: 'Mend the link in Calendars',
    bad: ['the link removed', ''],
    extra: ['a second link changed', '`tidewater doctor`', '[`tidewater doctor`](/troubleshooting/overview)'],
    graders: [{ kind: 'linked-from', page: 'cli/schedule.mdx', from: 'guides/calendars.mdx' }],
  }),
  buildRepairTask({
    name: 'front-matter',
    site: 'tidewater',
    path: 'api/pagination.mdx',
    right: 'description: Walk through long lists without missing anything.',
    wrong: 'description: "Walk through long lists without missing anything.',
    prompt: 'The front matter of api/pagination does not parse. Mend it, without changing what it says.',
    title: 'Mend the front matter of Pagination',
    bad: ['the text changed', 'description: Walk through lists.'],
    extra: ['a key invented', 'title: Pagination', 'title: Pagination\nicon: list'],
    graders: [
      {
        kind: 'front-matter',
        path: 'api/pagination.mdx',
        keys: { title: 'Pagination', description: 'Walk through long lists without missing anything.' },
        only: true,
      },
    ],
  }),
  buildRepairTask({
    name: 'unclosed-component',
    site: 'tidewater',
    path: 'guides/retries-and-backoff.mdx',
    right: 'starts from the beginning.\n</Note>',
    wrong: 'starts from the beginning.',
    prompt: 'guides/retries-and-backoff does not build: a component is not closed. Mend it.',
    title: 'Close the note in Retries and backoff',
    bad: ['closed at the wrong place', 'starts from the beginning.</Note>'],
    extra: ['a sentence dropped', ' An attempt may have done half of its work', ''],
  }),
  buildRepairTask({
    name: 'navigation-entry',
    site: 'tidewater',
    path: 'docs.json',
    right: '"guides/observability"',
    wrong: '"guides/observeability"',
    prompt: 'The page about observability has vanished from the sidebar. Find out why and mend it.',
    title: 'Mend the sidebar entry of Observability',
    bad: ['the entry removed', '"guides/webhooks"'],
    extra: ['another group also renamed', '"group": "Operating"', '"group": "Operations"'],
    graders: [{ kind: 'in-navigation', file: 'docs.json', page: 'guides/observability', group: 'Operating' }],
  }),
  buildRepairTask({
    name: 'json-comma',
    site: 'pebble',
    path: 'sidebars.json',
    right: '"guides/themes", "guides/export"',
    wrong: '"guides/themes" "guides/export"',
    prompt: 'The site does not build since the last change of sidebars.json. Mend it.',
    title: 'Mend sidebars.json',
    bad: ['an entry dropped', '"guides/themes"'],
    extra: ['a label changed', '"label": "Reference"', '"label": "API reference"'],
    graders: [{ kind: 'in-navigation', file: 'sidebars.json', page: 'guides/export' }],
  }),
  buildRepairTask({
    name: 'relative-link',
    site: 'harbor',
    path: 'src/guide/secrets.md',
    right: '(../reference/runners.md#isolation)',
    wrong: '(reference/runners.md#isolation)',
    prompt: 'In src/guide/secrets.md the link about isolation is broken. Correct it.',
    title: 'Correct the link about isolation',
    bad: ['the anchor lost', '(../reference/runners.md)'],
    extra: ['a word replaced', 'They are masked in logs.', 'They are hidden in logs.'],
    graders: [{ kind: 'contains', path: 'src/guide/secrets.md', text: 'runners.md#isolation', times: 1 }],
  }),
  buildRepairTask({
    name: 'anchor',
    site: 'kestrel',
    path: 'guides/alerts.mdx',
    right: '(/reference/query#operators)',
    wrong: '(/reference/query#operator)',
    prompt:
      'The link to the query language in guides/alerts jumps to the top of the page instead of the section about operators. Mend the link.',
    title: 'Mend the anchor in Alerts',
    bad: ['the wrong section chosen', '(/reference/query#functions)'],
    extra: ['the interval changed', 'every 30 seconds', 'every 60 seconds'],
  }),
  buildRepairTask({
    name: 'code-fence',
    site: 'orchid',
    path: 'pages/guides/importing.mdx',
    right: 'orchid import ./notes --space team\n```',
    wrong: 'orchid import ./notes --space team',
    prompt: 'In pages/guides/importing.mdx everything after the command is shown as code. Mend it.',
    title: 'Close the code block in Importing data',
    bad: ['the block opened, not closed', 'orchid import ./notes --space team\n```bash'],
    extra: ['the command changed', '--space team', '--space default'],
  }),
]
