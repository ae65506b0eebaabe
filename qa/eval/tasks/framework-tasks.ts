import type { Task } from '../task/task.ts'
import { buildEditTask, buildQuietTask } from './build-task.ts'
import { edit, impossible, move, noChange, reflow, remove, write } from './steps.ts'

const docs = 'src/content/docs'

const node = [edit('guide/start.md', 'Juniper needs Node 18 or newer.', 'Juniper needs Node 20 or newer.')]
const hook = [
  edit('guide/plugins.md', '| `load` | for each file |', '| `load` | for each file |\n| `write` | for each result |'),
]
const bounces = [
  move(`${docs}/guides/bounces.md`, `${docs}/guides/undelivered.md`),
  edit(`${docs}/guides/sending.md`, '(/guides/bounces/)', '(/guides/undelivered/)'),
  edit(`${docs}/reference/limits.md`, '(/guides/bounces/)', '(/guides/undelivered/)'),
]
const recipients = [edit(`${docs}/reference/limits.md`, '- 50 recipients', '- 100 recipients')]
const taxes = [
  write(
    'fern/pages/taxes.mdx',
    '---\ntitle: Taxes\n---\n\nFennel adds the tax of the country that the customer lives in. Rates are updated every night.\n',
  ),
  edit(
    'fern/docs.yml',
    '        path: ./pages/invoices.mdx\n',
    '        path: ./pages/invoices.mdx\n      - page: Taxes\n        path: ./pages/taxes.mdx\n',
  ),
]
const webhooks = [
  remove('fern/pages/webhooks.mdx'),
  edit('fern/docs.yml', '      - page: Webhooks\n        path: ./pages/webhooks.mdx\n', ''),
  edit('fern/docs.yml', '\nredirects:\n  - source: /hooks\n    destination: /start/webhooks\n', ''),
  edit(
    'fern/pages/welcome.mdx',
    'Read about [webhooks](/start/webhooks) and [invoices](/billing/invoices).',
    'Read about [invoices](/billing/invoices).',
  ),
]

/** Tasks on pages and navigation that are specific to VitePress, Starlight and Fern. */
export const frameworkTasks: readonly Task[] = [
  buildEditTask({
    family: 'closed-world',
    name: 'vitepress-node-version',
    site: 'juniper',
    prompt: 'Juniper needs Node 20 or newer.',
    title: 'Require Node 20',
    steps: node,
    graders: [
      { kind: 'matches', path: 'guide/start.md', pattern: 'needs Node 20 or (newer|later)' },
      { kind: 'contains', path: 'guide/start.md', text: '::: tip\n', times: 1 },
    ],
    spoiled: [
      ['the container changed', [...node, edit('guide/start.md', '::: tip', '::: warning')]],
      [
        'the install command changed',
        [...node, edit('guide/start.md', 'npm install --save-dev juniper', 'npm install --save-dev juniper@latest')],
      ],
      [
        'the old number kept',
        [edit('guide/start.md', 'Juniper needs Node 18 or newer.', 'Juniper needs Node 18 or newer, Node 20 is best.')],
      ],
    ],
  }),
  buildEditTask({
    family: 'fidelity',
    name: 'vitepress-marks',
    site: 'juniper',
    prompt: 'There is a hook `write`, "for each result", after load. Add it to the table.',
    title: 'Document the hook write',
    steps: hook,
    graders: [
      {
        kind: 'matches',
        path: 'guide/plugins.md',
        pattern: '^\\| `load` .*\\n\\| `write` \\| for each result \\|\\n\\| `footer`',
      },
      { kind: 'contains', path: 'guide/plugins.md', text: '```ts{3}', times: 1 },
      { kind: 'contains', path: 'guide/plugins.md', text: '## Hooks {#hooks}', times: 1 },
      { kind: 'code-untouched', path: 'guide/plugins.md' },
    ],
    spoiled: [
      ['the highlighted line lost', [...hook, edit('guide/plugins.md', '```ts{3}', '```ts')]],
      ['the anchor lost', [...hook, edit('guide/plugins.md', ' {#hooks}', '')]],
      [
        'put last',
        [
          edit(
            'guide/plugins.md',
            '| `footer` | after the last file |',
            '| `footer` | after the last file |\n| `write` | for each result |',
          ),
        ],
      ],
    ],
  }),
  buildEditTask({
    family: 'rename',
    name: 'vitepress-sidebar',
    site: 'juniper',
    prompt: 'Rename the section "Guide" of the sidebar to "Learn".',
    title: 'Rename the sidebar section Guide to Learn',
    steps: [edit('.vitepress/config.ts', "text: 'Guide'", "text: 'Learn'")],
    graders: [
      { kind: 'contains', path: '.vitepress/config.ts', text: "text: 'Learn'", times: 1 },
      { kind: 'untouched', in: 'guide/**' },
    ],
    spoiled: [
      ['a heading changed instead', [edit('guide/start.md', '# Start', '# Learn')]],
      [
        'the title of the site also changed',
        [
          edit('.vitepress/config.ts', "text: 'Guide'", "text: 'Learn'"),
          edit('.vitepress/config.ts', "title: 'Juniper'", "title: 'Learn'"),
        ],
      ],
      ['refused', [], impossible('The sidebar is in .vitepress/config.ts.')],
    ],
  }),
  buildEditTask({
    family: 'move',
    name: 'starlight-generated-sidebar',
    site: 'wren',
    prompt: 'Rename the page guides/bounces to guides/undelivered. Title and place in the sidebar stay.',
    title: 'Rename guides/bounces to undelivered',
    steps: bounces,
    graders: [
      { kind: 'moved', path: `${docs}/guides/bounces.md`, to: `${docs}/guides/undelivered.md` },
      { kind: 'no-links-to', page: `${docs}/guides/bounces.md` },
      { kind: 'linked-from', page: `${docs}/guides/undelivered.md`, from: `${docs}/reference/limits.md` },
      { kind: 'linked-from', page: `${docs}/guides/undelivered.md`, from: `${docs}/guides/sending.md` },
      { kind: 'matches', path: `${docs}/guides/undelivered.md`, pattern: '^title: Bounces$' },
      { kind: 'matches', path: `${docs}/guides/undelivered.md`, pattern: '^ {2}order: 2$' },
    ],
    spoiled: [
      ['one link overlooked', bounces.slice(0, 2)],
      [
        'the title changed',
        [...bounces, edit(`${docs}/guides/undelivered.md`, 'title: Bounces', 'title: Undelivered')],
      ],
      ['the order lost', [...bounces, edit(`${docs}/guides/undelivered.md`, 'sidebar:\n  order: 2\n', '')]],
    ],
  }),
  buildEditTask({
    family: 'closed-world',
    name: 'starlight-limit',
    site: 'wren',
    prompt: 'One message may have 100 recipients now.',
    title: 'Raise the limit of recipients',
    steps: recipients,
    graders: [
      { kind: 'contains', path: `${docs}/reference/limits.md`, text: '- 100 recipients of one message\n', times: 1 },
      { kind: 'contains', path: `${docs}/reference/limits.md`, text: '- 100 messages a second\n', times: 1 },
      { kind: 'contains', path: `${docs}/reference/limits.md`, text: '- 10 MB of attachments\n\nMore about', times: 1 },
    ],
    spoiled: [
      ['the wrong line', [edit(`${docs}/reference/limits.md`, '- 100 messages', '- 50 messages'), ...recipients]],
      [
        'an entry invented',
        [
          ...recipients,
          edit(`${docs}/reference/limits.md`, '- 10 MB of attachments', '- 10 MB of attachments\n- 100 attachments'),
        ],
      ],
      ['a paragraph reflowed', reflow('wren', recipients, `${docs}/guides/bounces.md`)],
    ],
  }),
  buildQuietTask({
    family: 'already-done',
    name: 'starlight-retry',
    site: 'wren',
    prompt: 'Document for how long soft bounces are tried again.',
    outcome: ['no_change'],
    says: 'bounces|24 hours',
    reason: 'guides/bounces.md says: "soft ones are tried again for 24 hours".',
    edit: [edit(`${docs}/guides/bounces.md`, 'tried again for 24 hours', 'tried again for up to 24 hours')],
    spoiled: [
      [
        'stated twice',
        [
          edit(
            `${docs}/guides/sending.md`,
            'What comes back',
            'Soft bounces are tried again for 24 hours. What comes back',
          ),
        ],
      ],
      ['called impossible', [], impossible('It is not known for how long bounces are tried again.')],
      ['no evidence', [], noChange('It is there.')],
    ],
  }),
  buildEditTask({
    family: 'add-page',
    name: 'fern-page',
    site: 'fennel',
    prompt:
      'Add fern/pages/taxes.mdx, title Taxes, at the end of Billing. Text: Fennel adds the tax of the country that the customer lives in. Rates are updated every night.',
    title: 'Add a page about taxes',
    steps: taxes,
    graders: [
      { kind: 'front-matter', path: 'fern/pages/taxes.mdx', keys: { title: 'Taxes' }, only: true },
      {
        kind: 'contains',
        path: 'fern/pages/taxes.mdx',
        text: 'Fennel adds the tax of the country that the customer lives in.',
      },
      { kind: 'contains', path: 'fern/pages/taxes.mdx', text: 'Rates are updated every night.' },
      { kind: 'in-navigation', file: 'fern/docs.yml', page: 'pages/taxes.mdx', group: 'Billing' },
      { kind: 'navigation-kept', file: 'fern/docs.yml' },
      { kind: 'contains', path: 'fern/docs.yml', text: '# Order matters', times: 1 },
      { kind: 'lacks', in: 'fern/pages/taxes.mdx', text: '%' },
    ],
    spoiled: [
      ['the navigation overlooked', taxes.slice(0, 1)],
      [
        'in the wrong section',
        [
          ...taxes.slice(0, 1),
          edit(
            'fern/docs.yml',
            '        path: ./pages/webhooks.mdx\n',
            '        path: ./pages/webhooks.mdx\n      - page: Taxes\n        path: ./pages/taxes.mdx\n',
          ),
        ],
      ],
      ['a rate invented', [...taxes, edit('fern/pages/taxes.mdx', 'Rates are', 'It is 19 % in Germany. Rates are')]],
    ],
  }),
  buildEditTask({
    family: 'delete',
    name: 'fern-with-redirect',
    site: 'fennel',
    prompt:
      'Webhooks are gone. Delete the page, its entry, the redirect that leads to it and what the welcome page says about them.',
    title: 'Delete the page about webhooks',
    steps: webhooks,
    graders: [
      { kind: 'missing', path: 'fern/pages/webhooks.mdx' },
      { kind: 'not-in-navigation', file: 'fern/docs.yml', page: 'pages/webhooks.mdx' },
      { kind: 'navigation-kept', file: 'fern/docs.yml' },
      { kind: 'lacks', in: 'fern/**', text: 'webhooks' },
      { kind: 'contains', path: 'fern/pages/welcome.mdx', text: '[invoices](/billing/invoices)', times: 1 },
      { kind: 'contains', path: 'fern/docs.yml', text: 'page: "Invoices"', times: 1 },
    ],
    spoiled: [
      ['the redirect overlooked', webhooks.toSpliced(2, 1)],
      ['the link overlooked', webhooks.slice(0, 3)],
      ['the quotes normalized', [...webhooks, edit('fern/docs.yml', 'page: "Invoices"', 'page: Invoices')]],
    ],
  }),
]
