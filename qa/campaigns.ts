/** One process of a campaign. The arguments of the command line are appended. */
export interface Step {
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

export interface Campaign {
  readonly summary: string
  /** The steps run in this order. The first failure ends the campaign with its exit code. */
  readonly steps: readonly Step[]
}

const node = (...args: string[]): Step => ({ command: process.execPath, args })
const vitest = (folders: readonly string[], env: Readonly<Record<string, string>> = {}): Step => ({
  command: 'vitest',
  args: ['run', '--config', 'qa/vitest.config.ts', ...folders],
  env,
})

/**
 * All campaigns, by their names for `pnpm qa`. Paths are relative to the root of the repository.
 */
export const CAMPAIGNS: Readonly<Record<string, Campaign>> = {
  'bench-git': { summary: 'time of a job against git itself', steps: [node('qa/dist/bench/git/git-bench.js')] },
  'bench-sse': { summary: 'memory of event streams', steps: [node('--expose-gc', 'qa/bench/sse.mjs')] },
  browser: {
    summary: 'every screen in both themes and at all widths',
    steps: [vitest(['apps/dashboard/src/browser-tests/'], { VARIANTS: 'all' })],
  },
  chaos: { summary: 'real processes under kills, pauses and outages', steps: [node('qa/dist/chaos/main.js')] },
  'check-history': {
    summary: 'the checks over the commits of a repository',
    steps: [node('qa/dist/check-history/main.js')],
  },
  e2e: { summary: 'whole services end to end', steps: [vitest(['qa/e2e/'])] },
  eval: { summary: 'documentation tasks with graders', steps: [node('qa/dist/eval/main.js')] },
  failures: {
    summary: 'the tables of docs/failures.md: [--update]',
    steps: [vitest(['qa/faults/document.test.ts'])],
  },
  faults: { summary: 'every fault of the model, the Git host and Postgres', steps: [vitest(['qa/faults/'])] },
  hostile: { summary: 'hostile repositories', steps: [node('qa/dist/hostile/main.js')] },
  injection: {
    summary: 'hostile instructions, the whole corpus',
    steps: [vitest(['qa/injection/'], { WHOLE_CORPUS: '1' })],
  },
  mutation: {
    summary: 'mutants of the most critical files: [FILE…]',
    steps: [node('qa/dist/mutation/main.js')],
  },
  readme: {
    summary: 'every command of README.md in a new clone: [--short]',
    steps: [node('qa/dist/readme/main.js')],
  },
  short: { summary: 'a short form of the campaigns, for the gate', steps: [vitest([], { QA_SHORT: '1' })] },
  tools: { summary: 'hostile tool calls: [COUNT [SEED]]', steps: [node('qa/dist/injection/main.js')] },
  zombies: { summary: 'workers that wake up after their lease expired', steps: [vitest(['qa/zombies/'])] },
}

export const findCampaign = (name: string): Campaign | null =>
  Object.hasOwn(CAMPAIGNS, name) ? (CAMPAIGNS[name] ?? null) : null

export const USAGE = `Usage: pnpm qa CAMPAIGN [options]

${Object.entries(CAMPAIGNS)
  .map(([name, { summary }]) => `  ${name.padEnd(14)} ${summary}`)
  .join('\n')}
`
