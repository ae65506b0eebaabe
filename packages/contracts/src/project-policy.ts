import { z } from 'zod'
import { BranchName } from './branch-name.ts'
import { JOB_OPTIONS, Questions } from './job-options.ts'
import { PathGlob } from './path-glob.ts'
import { isPlain, plain } from './text-rules.ts'

const limit = (min: number, max: number) =>
  z.number(`must be a number from ${min} to ${max}, or null`).int().min(min).max(max).nullable()

/**
 * Budgets for the work on one prompt. Null selects the service's budget, which is also the upper
 * limit.
 */
export const ProjectBudgets = z.strictObject({
  /** Maximum number of model responses. */
  maxTurns: limit(1, 1000),
  /** Maximum input tokens, including cached ones. */
  maxInputTokens: limit(1000, 1_000_000_000),
  maxOutputTokens: limit(100, 1_000_000_000),
  maxCostUsd: z.number().min(0.01).max(100_000).nullable(),
  /** Maximum working time in seconds, excluding waiting time. */
  maxSeconds: limit(10, 604_800),
})
export type ProjectBudgets = z.infer<typeof ProjectBudgets>

/** A user (`login`) or a team (`organization/team`) on the Git host. */
export const Reviewer = z
  .string()
  .trim()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9-]{0,38}(\/[A-Za-z0-9._-]{1,100})?$/,
    'must be a login, or organization/team for a team',
  )

/** A language code as used in documentation folder names: `de`, `pt-BR`, `zh-Hans`, `zh_CN`. */
export const LocaleCode = z
  .string()
  .trim()
  .regex(
    /^[A-Za-z]{2,3}([-_][A-Za-z]{4})?([-_]([A-Za-z]{2}|\d{3}))?$/,
    'must be a language code as used in folder names, such as de or pt-BR',
  )

/**
 * Languages that the agent may write. `all`: every language. `source-only`: no files in translation
 * folders and no files such as `page.de.md`. A list: only these languages, in addition to the
 * source language.
 */
export const LocaleRule = z.union([z.enum(['all', 'source-only']), z.array(LocaleCode).min(1).max(100)], {
  error: 'must be all, source-only, or a list of language codes such as ["de", "pt-BR"]',
})
export type LocaleRule = z.infer<typeof LocaleRule>

/** A pull request label. */
export const PullRequestLabel = z.string().trim().min(1).max(50).refine(isPlain, plain)

/**
 * Pattern for pull request titles that the agent writes. `{title}` is the agent's title, `{date}`
 * is the date in UTC, and `{job}` is the job id.
 */
export const TitlePattern = z
  .string()
  .trim()
  .max(150)
  .refine(isPlain, plain)
  .refine(
    (pattern) =>
      pattern.includes('{title}') && (pattern.match(/\{[^}]*\}?/g) ?? []).every((mark) => PLACEHOLDERS.has(mark)),
    { message: 'must contain {title}, and no placeholders other than {title}, {date} and {job}' },
  )

/** Free text that is passed to the agent. */
export const AgentInstructions = z
  .string()
  .max(8000)
  .refine((text) => text.isWellFormed() && !text.includes('\u0000'), { message: 'must be well-formed text' })

export const DEFAULT_BRANCH_PREFIX = 'corrigenda/'

const BranchPrefix = z
  .string()
  .max(100)
  .refine((prefix) => BranchName.safeParse(`${prefix}job_1`).success, {
    message: 'must be a valid branch name prefix, such as docs/',
  })

/** Placeholders that a title pattern can contain. */
const PLACEHOLDERS = new Set(['{title}', '{date}', '{job}'])

/**
 * A kind of content that runs while the documentation is built, or that controls other tools. The
 * agent cannot add it unless the project allows the kind.
 */
export const CodeKind = z.enum([
  /** Imports, exports and expressions of MDX pages, except literals. */
  'mdx-code',
  /** Scripts, expressions and directives of Vue pages, except literals. */
  'vue-code',
  /** Front matter in a programming language, and scripts in the page's head. */
  'front-matter-code',
  /** YAML tags that construct objects, call functions or read the environment. */
  'yaml-tags',
  /** Plugins, hooks, scripts and custom folders in a site's configuration. */
  'build-settings',
  /** Directives that run code or insert text without processing it. */
  'directives',
  /** Includes of files outside the documentation, and of URLs. */
  'includes',
  /** Files that define which packages are installed, without their lock files. */
  'dependency-manifests',
  /** Files that instruct coding agents. */
  'agent-instructions',
])
export type CodeKind = z.infer<typeof CodeKind>

/** A project's rules for the agent's changes and pull requests. */
export const ProjectPolicy = z.strictObject({
  /** Paths that the agent may read. Null: every file. Other files cannot be written either. */
  readable: z.array(PathGlob).min(1, 'must have at least one pattern, or be null').max(50).nullable(),
  /**
   * Paths that the agent may write. Null: documentation pages and navigation files. A folder
   * pattern (`docs/**`) restricts these files to that folder. A pattern with a file name or an
   * extension (`snippets/**` followed by `/*.yaml`) also allows exactly the files that it matches.
   * The agent can never write protected files.
   */
  writable: z.array(PathGlob).min(1, 'must have at least one pattern, or be null').max(50).nullable(),
  /** Paths that the agent must not write, in addition to the protected files. */
  forbidden: z.array(PathGlob).max(50),
  /** Maximum number of files in one change; at most 50. */
  maxFiles: limit(1, 50),
  /** Maximum number of added and removed lines in one change; at most 5,000. */
  maxLines: limit(1, 5000),
  /** Languages that the agent may write. */
  locales: LocaleRule,
  /**
   * Kinds of executable content that the agent may add. The pull request lists it first and opens
   * as a draft.
   */
  allowedCode: z.array(CodeKind).max(CodeKind.options.length),
  /**
   * Whether pull requests and commits contain the prompt, the cost and the link to the job:
   * always, only if the repository is private, or never. A repository whose visibility is unknown
   * counts as public.
   */
  pullRequestDetails: z.enum(['full', 'private-repositories', 'none']),
  /** Adds `Signed-off-by` with the commit's author to every commit message. */
  signOff: z.boolean(),
  /**
   * Adds `Co-authored-by` with the users who asked for the change in the dashboard to commit
   * messages. Email addresses, other than GitHub's no-reply addresses, are added only where
   * `pullRequestDetails` allows details.
   */
  coAuthoredBy: z.boolean(),
  /** Opens pull requests as drafts, unless the job overrides it. */
  draft: z.boolean(),
  /** Labels added to every pull request, together with the job's labels. */
  labels: z.array(PullRequestLabel).max(20),
  /** Reviewers requested on every new pull request. */
  reviewers: z.array(Reviewer).max(15),
  /**
   * Also requests reviews from the changed files' owners in the repository's CODEOWNERS file; at
   * most 15 reviewers in total.
   */
  codeownersReviewers: z.boolean(),
  /** Prefix that precedes the job id in the branch name. */
  branchPrefix: BranchPrefix,
  /**
   * Prefixes that the branch name of a job's request may have, in addition to `branchPrefix`. `*`
   * allows every name.
   */
  requestedBranchPrefixes: z.array(z.union([z.literal('*'), BranchPrefix.min(1)])).max(20),
  titlePattern: TitlePattern.nullable(),
  /** Passed to the agent in every job, after the service's rules. */
  instructions: AgentInstructions,
  /** Model for jobs that do not specify one; null for the service's default. */
  model: JOB_OPTIONS.model.schema.nullable(),
  /**
   * Maximum number of the project's open and pending pull requests. At the limit, new jobs are
   * rejected. Null means no limit.
   */
  maxOpenPullRequests: limit(1, 1000),
  /**
   * Rejects a second job with the same prompt on the same base branch while the first is active,
   * unless the request overrides it.
   */
  dedupe: z.boolean(),
  /** What a question of the agent does, unless the request overrides it. */
  questions: Questions,
  /**
   * Which comments and reviews on a pull request start a follow-up: none, those that address the
   * agent, or every one. With `all`, a public repository is treated as with `mention`.
   */
  comments: z.enum(['off', 'mention', 'all']),
})
export type ProjectPolicy = z.infer<typeof ProjectPolicy>

export const DEFAULT_PROJECT_BUDGETS: ProjectBudgets = {
  maxTurns: null,
  maxInputTokens: null,
  maxOutputTokens: null,
  maxCostUsd: null,
  maxSeconds: null,
}

export const DEFAULT_PROJECT_POLICY: ProjectPolicy = {
  readable: null,
  writable: null,
  forbidden: [],
  maxFiles: null,
  maxLines: null,
  locales: 'all',
  allowedCode: [],
  pullRequestDetails: 'private-repositories',
  signOff: false,
  coAuthoredBy: false,
  draft: false,
  labels: [],
  reviewers: [],
  codeownersReviewers: false,
  branchPrefix: DEFAULT_BRANCH_PREFIX,
  requestedBranchPrefixes: ['docs/'],
  titlePattern: null,
  instructions: '',
  model: null,
  maxOpenPullRequests: null,
  dedupe: false,
  questions: 'ask',
  comments: 'mention',
}
