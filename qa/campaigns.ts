/** A long test. The caller's arguments are appended to those of its process. */
interface Campaign {
  readonly summary: string
  /** A compiled module of `qa`, which has its own options. */
  readonly module?: string
  /** Test files or folders, relative to the repository root, that vitest runs. Empty for all. */
  readonly tests?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** All campaigns by name, as passed to `pnpm qa`. */
export const CAMPAIGNS: Readonly<Record<string, Campaign>> = {
  answers: {
    summary: 'checks the responses to parallel creates on three API processes, also while Postgres restarts',
    tests: ['qa/answers/'],
  },
  backup: {
    summary: 'backs up under load, wipes everything, restores, and checks that each job has one pull request',
    tests: ['qa/backup/'],
  },
  browser: {
    summary: 'tests every screen in both themes and at all widths',
    tests: ['apps/dashboard/src/browser-tests/'],
    env: { VARIANTS: 'all' },
  },
  chaos: { summary: 'kills and pauses real processes and checks that no job is lost: --help', module: 'chaos/main.js' },
  'check-history': {
    summary: "runs the checks on a repository's commits: PATH-OR-URL [--commits N] [--code]",
    module: 'check-history/main.js',
  },
  e2e: {
    summary: 'tests complete services end to end',
    tests: ['qa/e2e/', 'apps/worker/src/e2e/', 'apps/cli/src/quickstart/'],
  },
  eval: { summary: 'evaluates a model on documentation tasks: --help', module: 'eval/main.js' },
  failures: {
    summary: 'compares docs/failures.md with the fault tables: [--update]',
    tests: ['qa/faults/document.test.ts'],
  },
  faults: { summary: 'injects model API, Git host and Postgres faults', tests: ['qa/faults/'] },
  hostile: { summary: 'runs jobs on hostile repositories: [NAME]', module: 'hostile/main.js' },
  injection: {
    summary: 'runs the full prompt injection corpus, and measures the growth of CPU time',
    tests: ['qa/injection/', 'qa/leaks/superlinear.test.ts'],
    env: { WHOLE_CORPUS: '1' },
  },
  leaks: { summary: 'checks the leak guard on the documentation and the code of real packages', tests: ['qa/leaks/'] },
  metrics: {
    summary:
      'compares a real Prometheus with the database while a worker is killed, and runs the queries of the dashboard',
    tests: ['qa/metrics/'],
  },
  mutation: { summary: 'runs mutation tests on the fifteen most critical files: [FILE…]', module: 'mutation/main.js' },
  readme: { summary: 'runs every README command in a fresh clone: [--short]', module: 'readme/main.js' },
  short: { summary: 'runs a short form of the campaigns, for CI', tests: [], env: { QA_SHORT: '1' } },
  sites: {
    summary: 'measures checks, moves and deletions on real documentation sites: --help',
    module: 'sites/main.js',
  },
  tools: { summary: 'sends random hostile tool calls: [COUNT [SEED]]', module: 'injection/main.js' },
  topologies: {
    summary: 'runs jobs through nginx, Redis with TLS and Sentinel, Postgres with TLS, PgBouncer and an HTTP proxy',
    tests: ['qa/topologies/', 'qa/e2e/proxies.test.ts'],
  },
  upgrade: {
    summary: 'runs the previous release and this one over one database, forward and back: variable PREVIOUS',
    tests: ['qa/upgrade/'],
  },
  zombies: { summary: 'resumes workers after their leases have expired', tests: ['qa/zombies/'] },
}
