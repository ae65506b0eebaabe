/** A process that a campaign starts. The caller's arguments are appended to `args`. */
export interface Step {
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

export interface Campaign {
  readonly summary: string
  /** Run in order. The first step that fails ends the campaign with its exit code. */
  readonly steps: readonly Step[]
}

const node = (...args: string[]): Step => ({ command: process.execPath, args })
const vitest = (folders: readonly string[], env: Readonly<Record<string, string>> = {}): Step => ({
  command: 'vitest',
  args: ['run', '--config', 'qa/vitest.config.ts', ...folders],
  env,
})

/** All campaigns by name, as passed to `pnpm qa`. Paths are relative to the repository root. */
export const CAMPAIGNS = {
  answers: {
    summary: 'checks the responses to parallel creates on three API processes, also while Postgres restarts',
    steps: [vitest(['qa/answers/'])],
  },
  backup: {
    summary: 'backs up under load, wipes everything, restores, and checks that each job has one pull request',
    steps: [vitest(['qa/backup/'])],
  },
  'bench-api': {
    summary: "compares the API's reads with those of a bare server: [--seconds N] [--rounds N] [--connections N]",
    steps: [node('qa/dist/bench/api/main.js')],
  },
  'bench-checks': {
    summary: 'benchmarks the documentation checks: [CLONE [COMMIT]] [--pages N] [--edits N]',
    steps: [node('qa/dist/bench/checks/check-bench.js')],
  },
  'bench-git': {
    summary: "benchmarks a job's Git work against the Git command line",
    steps: [node('qa/dist/bench/git/git-bench.js')],
  },
  'bench-job': {
    summary: 'measures what a job costs the services, beside the Git command line: --help',
    steps: [node('qa/dist/bench/job/main.js')],
  },
  'bench-scale': {
    summary: 'compares a database of a million jobs with a small one: --help',
    steps: [node('qa/dist/scale/bench/main.js')],
  },
  'bench-sources': {
    summary: 'measures what a source of 20,000 files costs a job, beside the Git command line',
    steps: [node('qa/dist/bench/sources/sources-bench.js')],
  },
  'bench-sse': {
    summary: 'measures the memory use of event streams: [READERS]',
    steps: [node('--expose-gc', 'qa/bench/sse.mjs')],
  },
  'big-delete': {
    summary: 'deletes a project of 100,000 jobs while others work: --help',
    steps: [node('qa/dist/scale/big-delete/main.js')],
  },
  browser: {
    summary: 'tests every screen in both themes and at all widths',
    steps: [vitest(['apps/dashboard/src/browser-tests/'], { VARIANTS: 'all' })],
  },
  chaos: {
    summary: 'kills and pauses real processes and checks that no job is lost: --help',
    steps: [node('qa/dist/chaos/main.js')],
  },
  'check-history': {
    summary: "runs the checks on a repository's commits: PATH-OR-URL [--commits N] [--code]",
    steps: [node('qa/dist/check-history/main.js')],
  },
  e2e: {
    summary: 'tests complete services end to end',
    steps: [vitest(['qa/e2e/', 'apps/worker/src/e2e/', 'apps/cli/src/quickstart/'])],
  },
  eval: { summary: 'evaluates a model on documentation tasks: --help', steps: [node('qa/dist/eval/main.js')] },
  failures: {
    summary: 'compares docs/failures.md with the fault tables: [--update]',
    steps: [vitest(['qa/faults/document.test.ts'])],
  },
  faults: { summary: 'injects model API, Git host and Postgres faults', steps: [vitest(['qa/faults/'])] },
  hostile: { summary: 'runs jobs on hostile repositories: [NAME]', steps: [node('qa/dist/hostile/main.js')] },
  injection: {
    summary: 'runs the full prompt injection corpus, and measures the growth of CPU time',
    steps: [vitest(['qa/injection/', 'qa/leaks/'], { WHOLE_CORPUS: '1' })],
  },
  'job-list': {
    summary: "opens the dashboard's job list with 5,000 and with 50,000 jobs",
    steps: [vitest(['qa/scale/job-list/'], { LIST_JOBS: '5000,50000' })],
  },
  leaks: {
    summary: 'measures false refusals of the leak guard on real documentation: --help',
    steps: [node('qa/dist/leaks/main.js')],
  },
  metrics: {
    summary: 'compares a real Prometheus with the database while a worker is killed, and draws the dashboard',
    steps: [vitest(['qa/metrics/'])],
  },
  mutation: {
    summary: 'runs mutation tests on the most critical files: [FILE…]',
    steps: [node('qa/dist/mutation/main.js')],
  },
  readme: {
    summary: 'runs every README command in a fresh clone: [--short]',
    steps: [node('qa/dist/readme/main.js')],
  },
  short: {
    summary: 'runs a short form of the campaigns, for CI',
    // A search reads 1,000 jobs with one statement, so the list has more.
    steps: [vitest([], { QA_SHORT: '1', LIST_JOBS: '1500' })],
  },
  sites: {
    summary: 'measures checks, moves and deletions on real documentation sites: --help',
    steps: [node('qa/dist/sites/main.js')],
  },
  tenants: {
    summary: 'attacks and floods one tenant with another: variables SEED, ACTIONS and QUEUE',
    steps: [vitest(['qa/tenants/'])],
  },
  tools: { summary: 'sends random hostile tool calls: [COUNT [SEED]]', steps: [node('qa/dist/injection/main.js')] },
  topologies: {
    summary: 'runs jobs through nginx, Redis with TLS and Sentinel, Postgres with TLS, PgBouncer and an HTTP proxy',
    steps: [vitest(['qa/topologies/', 'qa/e2e/proxies.test.ts'])],
  },
  upgrade: {
    summary: 'runs the previous release and this one over one database, forward and back: variable PREVIOUS',
    steps: [vitest(['qa/upgrade/'])],
  },
  zombies: { summary: 'resumes workers after their leases have expired', steps: [vitest(['qa/zombies/'])] },
} satisfies Readonly<Record<string, Campaign>>

type Campaigns = Readonly<Record<string, Campaign>>

/** The benchmarks by name, as passed to `pnpm bench`. As campaigns, their names start with `bench-`. */
export const BENCHMARKS: Campaigns = Object.fromEntries(
  Object.entries(CAMPAIGNS)
    .filter(([name]) => name.startsWith('bench-'))
    .map(([name, campaign]) => [name.slice('bench-'.length), campaign]),
)

export const findCampaign = (list: Campaigns, name: string): Campaign | null =>
  Object.hasOwn(list, name) ? (list[name] ?? null) : null

export const toUsage = (list: Campaigns, kind: 'benchmark' | 'campaign'): string =>
  `Usage: pnpm ${kind === 'benchmark' ? 'bench BENCHMARK' : 'qa CAMPAIGN'} [options]

${Object.entries(list)
  .map(([name, { summary }]) => `  ${name.padEnd(14)} ${summary}`)
  .join('\n')}
`
