import { describeLimits } from '@corrigenda/agent/internal/policy/path-policy'
import { toPolicyInstructions } from '@corrigenda/agent/loop'
import { findLocales } from '@corrigenda/agent/policy'
import {
  DEFAULT_PROJECT_BUDGETS,
  DEFAULT_PROJECT_POLICY,
  PolicyFile,
  type ProjectPolicy,
  ProjectPolicy as ProjectPolicySchema,
  type RunPolicyFile,
} from '@corrigenda/contracts'
import { expect, it } from 'vitest'
import { toRunBudgets, toRunPolicy } from '../agent-work/to-run-policy.ts'
import { toPullRequestPolicy } from '../publish/to-pull-request-policy.ts'

const SERVICE = { maxTurns: 40, maxInputTokens: 200_000, maxOutputTokens: 6000, maxCostUsd: 2, maxSeconds: 1200 }
const PATHS = [
  'index.md',
  'README.md',
  'docs/a.md',
  'docs/b.mdx',
  'docs/deep/c.md',
  'docs/conf.py',
  'docs/a.png',
  'docs.json',
  'fr/index.md',
  'docs/fr/a.md',
  'i18n/de/x.md',
  'zh-CN/a.md',
  'docs/a.fr.md',
  'snippets/x.yaml',
  'snippets/y/z.yml',
  '.corrigenda.yml',
  '.corrigenda.yaml',
  'docs/.corrigenda.yml',
  '.github/CODEOWNERS',
  'AGENTS.md',
  'package.json',
  'src/index.ts',
  'legal/terms.md',
  'Docs/A.MD',
  'docs/run.sh',
  'yarn.lock',
]
const GLOBS = [
  '**',
  '**/*',
  '**/*.md',
  '**/*.{md,mdx,yaml,ts}',
  'docs/**',
  'docs/*',
  'docs/deep/**',
  'docs/a.md',
  'fr/**',
  '{docs,fr}/**',
  'snippets/**/*.yaml',
  '.corrigenda.yml',
  '**/.corrigenda.{yml,yaml}',
  '.github/**',
  'AGENTS.md',
  'src/**/*.ts',
  'legal/**',
  '*',
]
const LOCALES = findLocales(PATHS)

/** Builds a seeded random number generator (mulberry32) with helper functions. */
function buildRandom(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const pick = <T>(all: readonly T[]): T => all[Math.floor(next() * all.length)]!
  const some = <T>(all: readonly T[], max: number): T[] =>
    Array.from({ length: 1 + Math.floor(next() * max) }, () => pick(all))
  return { chance: (share: number) => next() < share, int: (max: number) => 1 + Math.floor(next() * max), pick, some }
}

type Random = ReturnType<typeof buildRandom>
const toLocaleRule = (random: Random) =>
  random.pick<PolicyFile['locales']>(['all', 'source-only', ['fr'], ['de', 'zh-CN'], ['en']])

function toProject(random: Random): ProjectPolicy {
  return ProjectPolicySchema.parse({
    ...DEFAULT_PROJECT_POLICY,
    ...(random.chance(0.3) && { readable: random.some(GLOBS, 4) }),
    ...(random.chance(0.5) && { writable: random.some(GLOBS, 4) }),
    ...(random.chance(0.5) && { forbidden: random.some(GLOBS, 3) }),
    ...(random.chance(0.5) && { maxFiles: random.int(50) }),
    ...(random.chance(0.5) && { maxLines: random.int(5000) }),
    ...(random.chance(0.5) && { locales: toLocaleRule(random) }),
    draft: random.chance(0.3),
    labels: random.some(['a', 'b', 'c'], 2),
    reviewers: random.some(['ada', 'grace'], 2),
    ...(random.chance(0.3) && { titlePattern: 'project: {title}' }),
  })
}

function toFile(random: Random): RunPolicyFile {
  const policy = PolicyFile.parse({
    ...(random.chance(0.3) && { readable: random.some(GLOBS, 4) }),
    ...(random.chance(0.5) && { writable: random.some(GLOBS, 4) }),
    ...(random.chance(0.4) && { forbidden: random.some(GLOBS, 3) }),
    ...(random.chance(0.5) && { maxFiles: random.int(50) }),
    ...(random.chance(0.5) && { maxLines: random.int(5000) }),
    ...(random.chance(0.5) && { locales: toLocaleRule(random) }),
    ...(random.chance(0.3) && { draft: true }),
    ...(random.chance(0.5) && { labels: random.some(['a', 'd'], 2) }),
    ...(random.chance(0.5) && { reviewers: random.some(['Ada', 'lin', 'acme/docs'], 3) }),
    ...(random.chance(0.3) && { titlePattern: 'file: {title}' }),
    ...(random.chance(0.5) && { budgets: { maxTurns: random.int(1000), maxCostUsd: random.int(9) } }),
  })
  return { path: '.corrigenda.yml', blob: 'b', policy }
}

it('never allows what the project forbids, regardless of the repository policy', () => {
  let allowed = 0
  let narrowed = 0
  for (let seed = 1; seed <= 30; seed += 1) {
    const random = buildRandom(seed)
    const settings = { policy: toProject(random), budgets: { ...DEFAULT_PROJECT_BUDGETS, maxTurns: random.int(60) } }
    const files = Array.from({ length: random.int(2) }, () => toFile(random))
    const project = toRunPolicy(settings, { files: [], locales: LOCALES })
    const effective = toRunPolicy(settings, { files, locales: LOCALES })
    for (const path of PATHS) {
      if (effective.isReadable(path) && !project.isReadable(path))
        expect.fail(`seed ${seed}: ${path} can be read only with ${JSON.stringify(files)}`)
      for (const action of ['write', 'move', 'delete'] as const) {
        const mayProject = project.explain(path, action) === null
        const mayNow = effective.explain(path, action) === null
        if (mayNow && !mayProject)
          expect.fail(`seed ${seed}: ${action} ${path} is allowed only with ${JSON.stringify(files)}`)
        if (mayNow) allowed += 1
        else if (mayProject) narrowed += 1
      }
    }
    expect(effective.maxFiles).toBeLessThanOrEqual(project.maxFiles)
    expect(effective.maxChangedLines).toBeLessThanOrEqual(project.maxChangedLines)
    expect([effective.maxFileBytes, effective.maxDiffBytes]).toEqual([project.maxFileBytes, project.maxDiffBytes])
    const before = toRunBudgets(SERVICE, settings)
    const after = toRunBudgets(SERVICE, settings, files)
    for (const name of Object.keys(SERVICE) as (keyof typeof SERVICE)[]) {
      expect(after[name]).toBeLessThanOrEqual(before[name])
      expect(before[name]).toBeLessThanOrEqual(SERVICE[name])
    }
    const options = random.chance(0.5) ? { draft: random.chance(0.5), labels: ['job'] } : {}
    const alone = toPullRequestPolicy(settings, [], options, [])
    const together = toPullRequestPolicy(settings, files, options, [])
    if (alone.settings.draft) expect(together.settings.draft).toBe(true)
    expect(together.settings.labels).toEqual(expect.arrayContaining([...alone.settings.labels]))
    expect(together.settings.reviewers).toEqual(expect.arrayContaining([...alone.settings.reviewers]))
    if (alone.titlePattern !== null) expect(together.titlePattern).toBe(alone.titlePattern)
  }
  // Ensures that the repository policies allow some changes and forbid others.
  expect(allowed).toBeGreaterThan(100)
  expect(narrowed).toBeGreaterThan(100)
})

const settings = (policy: Partial<ProjectPolicy>) => ({
  budgets: DEFAULT_PROJECT_BUDGETS,
  policy: { ...DEFAULT_PROJECT_POLICY, ...policy },
})
const file = (policy: PolicyFile): RunPolicyFile => ({ path: '.corrigenda.yml', blob: 'b', policy })

it('names the policy that rejects a path and describes all limits to the model', () => {
  const files = [file({ writable: ['docs/**'], forbidden: ['docs/legal/**'], locales: 'source-only' })]
  const policy = toRunPolicy(settings({ locales: ['fr'] }), { files, locales: LOCALES })
  const why = (path: string) => policy.explain(path, 'write')
  expect(why('docs/a.md')).toBeNull()
  expect(why('index.md')).toBe(`"index.md" is not allowed by the repository's .corrigenda.yml. Allowed paths: docs/**.`)
  expect(why('docs/legal/a.md')).toBe(`"docs/legal/a.md" is excluded by the repository's .corrigenda.yml.`)
  expect(why('DOCS/LEGAL/a.md')).toMatch(/excluded by/)
  expect(why('docs/legal./a.md')).toMatch(/excluded by/)
  expect(why('zh-CN/a.md')).toMatch(/translation \(zh-cn\)\. Translations are excluded by the settings of this project/)
  expect(why('docs/a.fr.md')).toMatch(
    /translation \(fr\)\. Translations are excluded by the repository's \.corrigenda\.yml/,
  )
  expect(why('.corrigenda.yml')).toMatch(/protected/)
  const limits = describeLimits(policy)
  expect(limits).toMatch(
    /no translations except into fr \(the settings of this project\), only paths that the repository's \.corrigenda\.yml allows, no translations \(the repository's \.corrigenda\.yml\)$/,
  )
  // The service's rules contain no text from a repository.
  expect(limits).not.toContain('legal')
  const hidden = toPolicyInstructions([file({ forbidden: ['docs/\u{E0041}\u200B**'] })])
  expect(hidden[0]?.text).toBe('Never change: docs/**')
  expect(toPolicyInstructions(files)).toEqual([
    {
      path: '.corrigenda.yml',
      text: 'Change only these paths: docs/**\n\nNever change: docs/legal/**',
      truncated: false,
    },
  ])
})

it('requests at most 15 reviews without duplicates, including code owners if the project enables them', () => {
  const owners = ['ADA', 'owner', ...Array.from({ length: 20 }, (_, n) => `o${n}`)]
  const ask = (policy: Partial<ProjectPolicy>, files: RunPolicyFile[] = []) =>
    toPullRequestPolicy(settings(policy), files, {}, owners).settings.reviewers
  expect(ask({ reviewers: ['ada'] })).toEqual(['ada'])
  expect(
    ask({ reviewers: ['ada'], codeownersReviewers: true }, [file({ reviewers: ['lin', 'Ada'] })]).slice(0, 4),
  ).toEqual(['ada', 'lin', 'owner', 'o0'])
  expect(ask({ codeownersReviewers: true })).toHaveLength(15)
})

it("applies the repository's draft requirement, and its title pattern if the project has none", () => {
  const of = (policy: Partial<ProjectPolicy>, own: PolicyFile, options: { draft?: boolean } = {}) =>
    toPullRequestPolicy(settings(policy), [file(own)], options, [])
  expect(of({ draft: false }, { draft: true }, { draft: false }).settings.draft).toBe(true)
  expect(of({ draft: true }, {}, { draft: false }).settings.draft).toBe(false)
  expect(of({}, { titlePattern: 'file: {title}' }).titlePattern).toBe('file: {title}')
  expect(of({}, { titlePattern: '[skip ci] @everyone\u202E fixes #1: {title}' }).titlePattern).toBe(
    'skip ci @ everyone fixes # 1: {title}',
  )
  expect(of({ titlePattern: 'p: {title}' }, { titlePattern: 'file: {title}' }).titlePattern).toBe('p: {title}')
})
