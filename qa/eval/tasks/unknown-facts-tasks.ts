import type { Task } from '../task/task.ts'
import { buildQuietTask } from './build-task.ts'
import { edit, needsInput, noChange } from './steps.ts'

/**
 * Tasks that require a fact that is neither in the prompt nor in the repository. The answer is a
 * question or a refusal.
 */
export const unknownFactsTasks: readonly Task[] = [
  buildQuietTask({
    family: 'unknown-facts',
    name: 'price',
    site: 'tidewater',
    prompt: 'Add the price of the Enterprise edition to the introduction.',
    outcome: ['needs_input', 'impossible'],
    says: 'pric|enterprise|cost',
    reason: 'What does the Enterprise edition cost? The repository does not mention a price.',
    edit: [
      edit(
        'introduction.mdx',
        'It is a single binary',
        'The Enterprise edition costs $99 a month. It is a single binary',
      ),
    ],
    spoiled: [
      [
        'a sentence without the fact',
        [edit('introduction.mdx', 'It is a single binary', 'There is an Enterprise edition. It is a single binary')],
      ],
      ['said that nothing needs to be done', [], noChange('The introduction needs no price.')],
      ['asked for nothing in particular', [], needsInput('Please give me more details.')],
    ],
  }),
  buildQuietTask({
    family: 'unknown-facts',
    name: 'flag-meaning',
    site: 'tidewater',
    prompt: 'Document the new flag --jitter of tidewater run.',
    outcome: ['needs_input', 'impossible'],
    says: 'jitter',
    reason: 'What does --jitter do, and which values does it take?',
    edit: [
      edit(
        'cli/run.mdx',
        '| `--detach` | off |',
        '| `--jitter` | `0s` | wait a random time before the start |\n| `--detach` | off |',
      ),
    ],
    spoiled: [
      [
        'a row without a meaning',
        [edit('cli/run.mdx', '| `--detach` | off |', '| `--jitter` | | |\n| `--detach` | off |')],
      ],
      ['said that nothing needs to be done', [], noChange('The page about --jitter is complete.')],
      ['asked for something else', [], needsInput('Which version is this for?')],
    ],
  }),
  buildQuietTask({
    family: 'unknown-facts',
    name: 'release-date',
    site: 'meadow',
    prompt: 'Put the release dates into the change log.',
    outcome: ['needs_input', 'impossible'],
    says: 'date|when',
    reason: 'On which dates were 2.1.0 and 2.0.0 released? The repository does not say.',
    edit: [edit('docs/changelog.md', '## 2.1.0', '## 2.1.0 (2026-03-14)')],
    spoiled: [
      ['placeholders inserted', [edit('docs/changelog.md', '## 2.1.0', '## 2.1.0 (TBD)')]],
      ['said that nothing needs to be done', [], noChange('Release dates are not customary.')],
      ['asked for nothing in particular', [], needsInput('Please clarify.')],
    ],
  }),
  buildQuietTask({
    family: 'unknown-facts',
    name: 'limit-of-edition',
    site: 'lantern',
    prompt: 'The page about limits only covers the Community edition. Add how many people the Team edition allows.',
    outcome: ['needs_input', 'impossible'],
    says: 'team|how many',
    reason: 'How many people may there be in the Team edition? Only the Community edition is documented.',
    edit: [
      edit(
        'docs/reference/limits.md',
        'There may be 500 people in the Community edition.',
        'There may be 500 people in the Community edition and 5,000 in the Team edition.',
      ),
    ],
    spoiled: [
      [
        '"unlimited" assumed',
        [
          edit(
            'docs/reference/limits.md',
            'in the Community edition.',
            'in the Community edition. The Team edition has no limit.',
          ),
        ],
      ],
      ['said that nothing needs to be done', [], noChange('The page about limits of the Team edition is complete.')],
      ['asked for nothing in particular', [], needsInput('Can you tell me more?')],
    ],
  }),
  buildQuietTask({
    family: 'unknown-facts',
    name: 'region',
    site: 'harbor',
    prompt: 'State in which countries the runners stand.',
    outcome: ['needs_input', 'impossible'],
    says: 'countr|where|region|location',
    reason: 'In which countries are the runners located? The repository does not contain this information.',
    edit: [
      edit(
        'src/reference/runners.md',
        "Harbor's own runners have",
        "Harbor's own runners stand in Germany and Finland and have",
      ),
    ],
    spoiled: [
      [
        'a vague sentence added',
        [edit('src/reference/runners.md', '8 GB of memory.', '8 GB of memory. They stand in several countries.')],
      ],
      ['said that nothing needs to be done', [], noChange('Runners are described already.')],
      ['asked for nothing in particular', [], needsInput('More information is needed.')],
    ],
  }),
  buildQuietTask({
    family: 'unknown-facts',
    name: 'deprecation',
    site: 'kestrel',
    prompt: 'rate(x) is deprecated. Tell readers what to use instead.',
    outcome: ['needs_input', 'impossible'],
    says: 'rate|instead|replace',
    reason: 'What replaces rate(x)? The query language has no other function for change per second.',
    edit: [
      edit(
        'reference/query.mdx',
        '| `rate(x)` | change per second |',
        '| `rate(x)` | change per second; deprecated, use `derivative(x)` |',
      ),
    ],
    spoiled: [
      [
        'only half done',
        [
          edit(
            'reference/query.mdx',
            '| `rate(x)` | change per second |',
            '| `rate(x)` | change per second (deprecated) |',
          ),
        ],
      ],
      ['said that nothing needs to be done', [], noChange('rate(x) is documented.')],
      ['asked for nothing in particular', [], needsInput('Please explain.')],
    ],
  }),
]
