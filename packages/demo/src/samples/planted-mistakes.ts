/** A mistake that the demo's documentation repository contains. */
interface PlantedMistake {
  readonly path: string
  readonly kind: 'typo' | 'link' | 'outdated'
  readonly right: string
  readonly wrong: string
}

/**
 * The work that a newcomer can ask for in the demo, besides the flag and the renamed command that
 * the code has and the documentation lacks. Each `right` occurs exactly once in its file.
 */
export const PLANTED_MISTAKES: readonly PlantedMistake[] = [
  { path: 'introduction.mdx', kind: 'typo', right: 'and remembers how it ended', wrong: 'and remebers how it ended' },
  { path: 'introduction.mdx', kind: 'typo', right: 'has become important', wrong: 'has become importent' },
  {
    path: 'introduction.mdx',
    kind: 'typo',
    right: 'and the worker reports back',
    wrong: 'and the the worker reports back',
  },
  { path: 'guides/deploying.mdx', kind: 'typo', right: 'the parts are separate', wrong: 'the parts are seperate' },
  {
    path: 'guides/retries-and-backoff.mdx',
    kind: 'typo',
    right: 'starts from the beginning',
    wrong: 'starts from the begining',
  },
  {
    path: 'troubleshooting/stuck-runs.mdx',
    kind: 'typo',
    right: 'as soon as it hears',
    wrong: 'as soon as as it hears',
  },
  { path: 'guides/first-schedule.mdx', kind: 'link', right: '(/guides/calendars)', wrong: '(/scheduling/calendars)' },
  { path: 'troubleshooting/missed-runs.mdx', kind: 'link', right: '(/cli/pause)', wrong: '(/commands/pause)' },
  { path: 'cli/run.mdx', kind: 'outdated', right: '| `--wait-start` | `2m` |', wrong: '| `--wait-start` | `1m` |' },
]
