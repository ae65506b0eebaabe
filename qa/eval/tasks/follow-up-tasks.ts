import type { Task } from '../task/task.ts'
import { buildEditTask, buildQuietTask, getText } from './build-task.ts'
import { edit, needsInput, noChange } from './steps.ts'

const family = 'follow-up'

/** Returns the text that the worker adds to a follow-up, with the earlier request and answer. */
const describe = (request: string, answer: string): string =>
  [
    'This is a follow-up. The files are those of the branch corrigenda/job_1. They contain your earlier work and any commits that users added on top of it. Keep those commits. Your changes are added to the same pull request.',
    'Earlier requests, oldest first, quoted:',
    `<earlier_request number="1">\n${request}\n</earlier_request>`,
    `Your last reply, quoted:\n<earlier_answer>\n${answer}\n</earlier_answer>`,
  ].join('\n')

const flagged = getText('tidewater', 'cli/list.mdx').replace(
  '| `--paused` |',
  '| `--limit` | show at most so many jobs |\n| `--paused` |',
)
const reworded = [
  edit(
    'cli/list.mdx',
    '| `--limit` | show at most so many jobs |',
    '| `--limit` | show at most so many jobs; default `50` |',
  ),
]
const bounded = getText('harbor', 'src/reference/harbor-toml.md').replace(
  '## timeout',
  '## retries\n\nHow often a step that failed is tried again. Default `0`.\n\n## timeout',
)
const retries = [
  edit('src/reference/harbor-toml.md', 'is tried again. Default `0`.', 'is tried again. Default `0`, at most `3`.'),
]

/** Tasks with a second prompt on the first prompt's branch. */
export const followUpTasks: readonly Task[] = [
  buildEditTask({
    family,
    name: 'add-default',
    site: 'tidewater',
    earlier: describe(
      'Document --limit of tidewater list: show at most so many jobs.',
      'Added `--limit` to the table of flags in cli/list.mdx.',
    ),
    overlay: { 'cli/list.mdx': flagged },
    prompt: 'Thanks. Please add that its default is 50.',
    title: 'Add the default of --limit',
    steps: reworded,
    graders: [
      { kind: 'matches', path: 'cli/list.mdx', pattern: '^\\| `--limit` \\| show at most so many jobs.*50.*\\|$' },
    ],
    spoiled: [
      [
        'a second row',
        [
          edit(
            'cli/list.mdx',
            '| `--limit` | show at most so many jobs |',
            '| `--limit` | show at most so many jobs |\n| `--limit 50` | the default |',
          ),
        ],
      ],
      [
        'the earlier words lost',
        [edit('cli/list.mdx', '| `--limit` | show at most so many jobs |', '| `--limit` | default `50` |')],
      ],
      ['another default also changed', [...reworded, edit('cli/list.mdx', 'default `name`', 'default `next`')]],
    ],
  }),
  buildEditTask({
    family,
    name: 'undo-a-part',
    site: 'lantern',
    earlier: describe(
      'Say 30 instead of 14 days in the page about backups.',
      'Changed the sentence and the table in docs/guides/backups.md.',
    ),
    overlay: {
      'docs/guides/backups.md': getText('lantern', 'docs/guides/backups.md')
        .replace('Retention is 14', 'Retention is 30')
        .replace('| 14 |', '| 30 |'),
    },
    prompt: 'The sentence is right, but the table must go on saying 14: it lists the value that is shipped.',
    title: 'Put the value in the table back',
    steps: [edit('docs/guides/backups.md', '| `backup.keep` | 30 |', '| `backup.keep` | 14 |')],
    graders: [
      {
        kind: 'contains',
        path: 'docs/guides/backups.md',
        text: '| `backup.keep` | 14 | days that a backup is kept |',
        times: 1,
      },
      { kind: 'contains', path: 'docs/guides/backups.md', text: 'Retention is 30 days', times: 1 },
    ],
    spoiled: [
      [
        'both restored',
        [
          edit('docs/guides/backups.md', '| `backup.keep` | 30 |', '| `backup.keep` | 14 |'),
          edit('docs/guides/backups.md', 'Retention is 30', 'Retention is 14'),
        ],
      ],
      ['the wrong one restored', [edit('docs/guides/backups.md', 'Retention is 30', 'Retention is 14')]],
      [
        'an explanation added',
        [
          edit(
            'docs/guides/backups.md',
            '| `backup.keep` | 30 | days that a backup is kept |',
            '| `backup.keep` | 14 | days that a backup is kept, as shipped |',
          ),
        ],
      ],
    ],
  }),
  buildEditTask({
    family,
    name: 'answer-to-question',
    site: 'harbor',
    earlier: describe(
      'Document the new key retries of harbor.toml.',
      'Documented `retries`. Is there an upper limit? I left it out.',
    ),
    overlay: { 'src/reference/harbor-toml.md': bounded },
    prompt: 'Yes, at most 3.',
    title: 'Add the upper limit of retries',
    steps: retries,
    graders: [{ kind: 'matches', path: 'src/reference/harbor-toml.md', pattern: 'tried again\\..*at most `?3`?' }],
    spoiled: [
      ['added to the wrong section', [edit('src/reference/harbor-toml.md', 'at most `360`', 'at most `3`')]],
      [
        'the default lost',
        [
          edit(
            'src/reference/harbor-toml.md',
            'is tried again. Default `0`.',
            'is tried again. At most `3`, and 3 by default.',
          ),
          edit('src/reference/harbor-toml.md', '## retries', '## retry'),
        ],
      ],
      [
        'a guide also changed',
        [...retries, edit('src/guide/pipelines.md', 'If a step fails,', 'If a step fails three times,')],
      ],
    ],
  }),
  buildQuietTask({
    family,
    name: 'nothing-left',
    site: 'kestrel',
    earlier: describe('Add min(x) to the functions.', 'Added `min(x)` after `max(x)` in reference/query.mdx.'),
    overlay: {
      'reference/query.mdx': getText('kestrel', 'reference/query.mdx').replace(
        '| `rate(x)` |',
        '| `min(x)` | the smallest value |\n| `rate(x)` |',
      ),
    },
    prompt: 'Is min(x) listed after max(x)? If not, move it there.',
    outcome: ['no_change'],
    says: 'min|max|after|order',
    reason: 'min(x) stands right after max(x) in reference/query.mdx.',
    edit: [
      edit(
        'reference/query.mdx',
        '| `min(x)` | the smallest value |\n| `rate(x)` | change per second |',
        '| `rate(x)` | change per second |\n| `min(x)` | the smallest value |',
      ),
    ],
    spoiled: [
      [
        'added once more',
        [edit('reference/query.mdx', '| `rate(x)` |', '| `min(x)` | the smallest value |\n| `rate(x)` |')],
      ],
      ['no evidence', [], noChange('Yes.')],
      ['asked a question instead', [], needsInput('Where should it stand?')],
    ],
  }),
]
