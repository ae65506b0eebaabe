import { z } from 'zod'
import { BranchName } from './branch-name.ts'
import { PathGlob } from './path-glob.ts'
import { isPlain, plain } from './text-rules.ts'

/** Name of the documentation repository as a source. It is always available. */
export const DOCS_SOURCE = 'docs'

/** Maximum number of sources of a project, without the documentation repository. */
export const MAX_SOURCES = 5

const name = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/, 'must consist of lower-case letters, digits and hyphens')

/** `private`: no passage of the source may be published. */
export const SourceVisibility = z.enum(['private', 'public'])
export type SourceVisibility = z.infer<typeof SourceVisibility>

/**
 * How pull requests cite a source: as permalinks, as file names without links, or not at all.
 */
export const CiteMode = z.enum(['links', 'names', 'none'])
export type CiteMode = z.infer<typeof CiteMode>

/** A repository that the agent may read, besides the documentation repository. */
export const ProjectSource = z.strictObject({
  name: name.refine((text) => text !== DOCS_SOURCE, 'must not be docs, the name of the documentation repository'),
  repository: z.url().max(500),
  /** Branch that is read. Null: the default branch. */
  ref: BranchName.nullable().default(null),
  /** Paths that the agent may list, search and read. Empty: every path. */
  paths: z.array(PathGlob).max(50).default([]),
  /** Null: the Git host is asked, and an unknown visibility counts as private. */
  visibility: SourceVisibility.nullable().default(null),
  /** Null: `links` for a public source, and `none` for a private one. */
  cite: CiteMode.nullable().default(null),
  /** Paths of a private source whose text may be published. */
  quotable: z.array(PathGlob).max(50).default([]),
})
export type ProjectSource = z.infer<typeof ProjectSource>

/** The sources of a project. Their names are unique. */
export const ProjectSources = z
  .array(ProjectSource)
  .max(MAX_SOURCES, `must have at most ${MAX_SOURCES} sources`)
  .refine((sources) => new Set(sources.map((source) => source.name)).size === sources.length, {
    message: 'must not contain two sources with the same name',
  })

/** Value of `since` that selects the changes since the last completed job that read the source. */
export const SINCE_LAST_JOB = 'last-job'

const isRevision = (text: string): boolean => !/^-|\s|\.\.|[~^:?*[\\]/.test(text)

/** Returns the date that a value of `since` may be, such as `2026-11-01` or `2026-11-01T08:00:00Z`. */
export function toSinceDate(text: string): Date | null {
  const isDate = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}[\d:.]{0,15}(?:Z|[+-]\d{2}:\d{2})?)?$/.test(text)
  return isDate && Number.isFinite(Date.parse(text)) ? new Date(text) : null
}

const text = z.string().min(1).max(255).refine(isPlain, plain)
const revision = text.refine(isRevision, 'must be a branch, a tag or a commit')
const start = text.refine(
  (value) => isRevision(value) || toSinceDate(value) !== null,
  'must be a commit, a tag, a branch, a date such as 2026-11-01 or 2026-11-01T08:00:00Z, or last-job',
)

/** A source of a job's request. */
export const JobSource = z
  .strictObject({
    name: name.describe("Name of one of the project's sources, or `docs` for the documentation repository."),
    ref: revision.optional().describe("Branch, tag or commit to read. Defaults to the source's branch."),
    pullRequest: z
      .int()
      .min(1)
      .max(2_147_483_647)
      .optional()
      .describe('Number of a pull request of the source. Its head is read, and its commits are the recent changes.'),
    since: start
      .optional()
      .describe(
        'Start of the recent changes: a commit, a tag, a date such as `2026-11-01` or `2026-11-01T08:00:00Z`, or `last-job`. A tag or branch takes precedence over a date. By default, the last completed job that read the source, or the last 14 days.',
      ),
  })
  .refine(({ ref, since, pullRequest }) => pullRequest === undefined || (ref === undefined && since === undefined), {
    message: 'must not have ref or since together with pullRequest',
  })
export type JobSource = z.infer<typeof JobSource>

/** Sources of a job's request. Only these are opened, together with `docs`. */
export const JobSources = z
  .array(JobSource)
  .max(MAX_SOURCES + 1)
  .refine((sources) => new Set(sources.map((source) => source.name)).size === sources.length, {
    message: 'must not name a source twice',
  })

const commit = z.string().regex(/^[0-9a-f]{40}$/)

/** A source at the commit that a run reads, as stored with the run. */
export const RunSource = z.strictObject({
  name,
  repository: z.url(),
  /** Branch or tag that was resolved. Null for a commit without one. */
  ref: z.string().nullable(),
  commit,
  /** Start of the recent changes. Null if it is not known. */
  baseCommit: commit.nullable(),
  /** What reviewers must know about the commit, in one or two sentences. */
  note: z.string().max(500).optional(),
  visibility: SourceVisibility,
  cite: CiteMode,
  paths: z.array(z.string()),
  quotable: z.array(z.string()),
})
export type RunSource = z.infer<typeof RunSource>

/** A source on the job record. */
export const AgentJobSource = z.object({
  name: z.string().describe('Name of the source in the project, or `docs`.'),
  repository: z.url(),
  ref: z.string().nullable().describe('Branch or tag that was read.'),
  commit: z.string().describe('Commit that was read.'),
  baseCommit: z.string().nullable().describe('Start of the recent changes that the agent could read.'),
  note: z
    .string()
    .nullable()
    .default(null)
    .describe(
      'Set if the commit is from a fork or on no branch, or if the prompt selects such a commit, which is not read.',
    ),
})
export type AgentJobSource = z.infer<typeof AgentJobSource>

/** Lines of a source that support a change to a page. Verified by the worker. */
export const Evidence = z.object({
  page: z.string().describe('Changed page, relative to the root of the documentation repository.'),
  source: z.string(),
  path: z.string().describe('File of the source.'),
  fromLine: z.int().min(1).describe('First line, 1-based.'),
  toLine: z.int().min(1).describe('Last line, inclusive.'),
  note: z.string().describe('What the lines show.'),
})
export type Evidence = z.infer<typeof Evidence>

/** Evidence on the job record. */
export const JobEvidence = Evidence.extend({
  commit: z.string().describe('Commit of the source that contains the lines.'),
})
export type JobEvidence = z.infer<typeof JobEvidence>
