import { readTree } from './read-tree.ts'

/** Siblings of `src` and `dist`, so that the same paths work from both. */
const LATEST = new URL('../../sample-code/latest/', import.meta.url)
/** The first version of each file that a later commit changes or deletes. */
const BEFORE = new URL('../../sample-code/before/', import.meta.url)

const DAY = 86_400_000

/** The commits after the first one. Each leads to the latest version of its files. */
const COMMITS = [
  {
    message: 'fix(client): do not repeat requests that the server rejected',
    daysAgo: 9,
    paths: ['internal/client/client.go'],
  },
  {
    message: 'feat(cli): add --json to logs',
    daysAgo: 6,
    paths: ['internal/cli/logs.go', 'internal/logline/json.go', 'internal/logline/json_test.go'],
  },
  {
    message: 'feat(cli)!: rename doctor to check',
    daysAgo: 3,
    paths: ['internal/cli/check.go', 'internal/cli/doctor.go', 'internal/cli/root.go'],
  },
  { message: 'test(cli): cover the columns of list', daysAgo: 1, paths: ['internal/cli/list_test.go'] },
] as const

interface SampleCommit {
  readonly message: string
  readonly files: Map<string, { readonly data: string } | null>
  readonly at: Date
}

/**
 * Reads the code of the product that the sample documentation describes, as commits of the last two
 * months, in the format that createRepository accepts. The newest commits add a flag and rename a
 * command, and the documentation contains neither change.
 */
export function readSampleCode(now: Date): SampleCommit[] {
  const latest = readTree(LATEST)
  const before = readTree(BEFORE)
  const added = new Set<string>(COMMITS.flatMap(({ paths }) => paths))
  const unchanged = Object.entries(latest).filter(([path]) => !added.has(path))
  const first = [...unchanged, ...Object.entries(before)].map(([path, data]) => [path, { data }] as const)
  const toDate = (daysAgo: number) => new Date(now.getTime() - daysAgo * DAY)
  return [
    { message: 'Release 2.4', files: new Map(first), at: toDate(60) },
    ...COMMITS.map(({ message, daysAgo, paths }) => ({
      message,
      files: new Map(paths.map((path) => [path, toFile(latest[path])] as const)),
      at: toDate(daysAgo),
    })),
  ]
}

const toFile = (data: string | undefined) => (data === undefined ? null : { data })
