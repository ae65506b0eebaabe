import type { Task } from '../task/task.ts'
import { buildQuietTask } from './build-task.ts'
import { edit, impossible, needsInput, noChange } from './steps.ts'

/** Tasks whose change is already in the documentation. */
export const alreadyDoneTasks: readonly Task[] = [
  buildQuietTask({
    family: 'already-done',
    name: 'default-output',
    site: 'tidewater',
    prompt: 'Document in the page about output formats that text is the default.',
    outcome: ['no_change'],
    says: 'output-formats|default',
    reason: 'cli/output-formats.mdx says under "text": "The default."',
    edit: [edit('cli/output-formats.mdx', 'The default. Columns', 'The default. Text is the default. Columns')],
    spoiled: [
      [
        'stated twice',
        [
          edit(
            'cli/output-formats.mdx',
            'Every command that prints a result takes `--output`.',
            'Every command that prints a result takes `--output`. The default is `text`.',
          ),
        ],
      ],
      ['called impossible', [], impossible('The page about output formats cannot be changed.')],
      ['no evidence', [], noChange('Nothing to do.')],
    ],
  }),
  buildQuietTask({
    family: 'already-done',
    name: 'link-is-right',
    site: 'tidewater',
    prompt:
      'The link to "Moving from cron" in the introduction still points to /guides/cron. Point it to /guides/migrating-from-cron.',
    outcome: ['no_change'],
    says: 'migrating-from-cron',
    reason: 'introduction.mdx links to /guides/migrating-from-cron already; /guides/cron stands nowhere.',
    edit: [edit('introduction.mdx', '(/guides/migrating-from-cron)', '(/guides/migrating-from-cron#)')],
    spoiled: [
      [
        'a different link changed instead',
        [edit('introduction.mdx', '(/api/runs#start-a-run)', '(/guides/migrating-from-cron)')],
      ],
      ['a question instead of evidence', [], needsInput('Which link do you mean?')],
      ['no evidence', [], noChange('It is fine.')],
    ],
  }),
  buildQuietTask({
    family: 'already-done',
    name: 'version-note',
    site: 'lantern',
    prompt: 'Say in the upgrade guide that version 2 can not read data of version 3.',
    outcome: ['no_change'],
    says: 'upgrading|roll back|version 2',
    reason: 'docs/guides/upgrading.md ends with "Version 2 can not read the data of version 3."',
    edit: [
      edit(
        'docs/guides/upgrading.md',
        'Version 2 can not read the data of version 3.',
        'Version 2 cannot read the data of version 3.',
      ),
    ],
    spoiled: [
      [
        'stated twice',
        [
          edit(
            'docs/guides/upgrading.md',
            'then install the new package.',
            'then install the new package. Version 2 can not read data of version 3.',
          ),
        ],
      ],
      [
        'a warning box added',
        [
          edit(
            'docs/guides/upgrading.md',
            'Version 3 reads',
            '!!! warning\n    Version 2 can not read the data of version 3.\n\nVersion 3 reads',
          ),
        ],
      ],
      ['no evidence', [], noChange('Already there.')],
    ],
  }),
  buildQuietTask({
    family: 'already-done',
    name: 'cache-size',
    site: 'harbor',
    prompt: 'Please document how large a cache may be.',
    outcome: ['no_change'],
    says: 'caching|2 GB',
    reason: 'src/guide/caching.md says: "One cache holds at most 2 GB."',
    edit: [edit('src/guide/caching.md', 'One cache holds at most 2 GB.', 'One cache holds at most 2 GB of files.')],
    spoiled: [
      [
        'stated on a second page',
        [edit('src/reference/harbor-toml.md', '## timeout', '## cache\n\nAt most 2 GB.\n\n## timeout')],
      ],
      ['called impossible', [], impossible('The size of caches is not known.')],
      ['no evidence', [], noChange('Done.')],
    ],
  }),
  buildQuietTask({
    family: 'already-done',
    name: 'link-lifetime',
    site: 'orchid',
    prompt: 'Users ask how long shared links work. Add it to the page about sharing.',
    outcome: ['no_change'],
    says: 'sharing|30 days',
    reason: 'pages/guides/sharing.mdx says: "Links end after 30 days."',
    edit: [edit('pages/guides/sharing.mdx', 'Links end after 30 days.', 'Shared links end after 30 days.')],
    spoiled: [
      [
        'stated twice',
        [edit('pages/guides/sharing.mdx', 'Share it with people', 'A link works for 30 days. Share it with people')],
      ],
      ['a question instead of evidence', [], needsInput('How long should they work?')],
      ['no evidence', [], noChange('It is documented.')],
    ],
  }),
  buildQuietTask({
    family: 'already-done',
    name: 'page-listed',
    site: 'kestrel',
    prompt: 'Add reference/metrics to the navigation, in the group Reference.',
    outcome: ['no_change'],
    says: 'docs\\.json|Reference|navigation',
    reason: 'docs.json lists reference/metrics in the group Reference.',
    edit: [edit('docs.json', '"reference/agents"]', '"reference/agents", "reference/metrics"]')],
    spoiled: [
      ['listed in a second group', [edit('docs.json', '"guides/on-call"]', '"guides/on-call", "reference/metrics"]')]],
      ['called impossible', [], impossible('docs.json cannot be changed.')],
      ['no evidence', [], noChange('Nothing to do.')],
    ],
  }),
]
