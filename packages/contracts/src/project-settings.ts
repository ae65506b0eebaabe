import { z } from 'zod'
import { BranchName } from './branch-name.ts'
import { DeployTarget } from './deployment.ts'
import { MonthlySpend } from './monthly-spend.ts'
import { PreviewUrlTemplate } from './preview-url.ts'
import { ProjectBudgets, ProjectPolicy } from './project-policy.ts'
import { ProjectSource, ProjectSources } from './source.ts'

const timestamp = z.iso.datetime({ precision: 3 })

/** The credential that workers use on the Git host for this project, without its secret. */
export const ProjectCredential = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('token'),
    lastFour: z.string(),
    savedAt: timestamp,
    /** Name of the user who saved it. */
    savedBy: z.string().nullable(),
  }),
  z.object({ kind: z.literal('app'), slug: z.string() }),
  /** The credential in the workers' environment, if set. */
  z.object({ kind: z.literal('environment') }),
])
export type ProjectCredential = z.infer<typeof ProjectCredential>

/**
 * The credential that workers use to read a source, without its secret. `project`: the project's
 * token. `instance`: the GitHub App of this instance, or the credential in the workers'
 * environment. `none`: no credential may be used, so the source cannot be opened.
 */
export const SourceCredential = z.object({
  source: z.string(),
  kind: z.enum(['token', 'project', 'instance', 'none']),
  /** The source's own token, for the kind `token`. */
  token: z.object({ lastFour: z.string(), savedAt: timestamp, savedBy: z.string().nullable() }).nullable(),
})
export type SourceCredential = z.infer<typeof SourceCredential>

/** A deploy target for display. A hook URL may contain a secret, so only its host is shown. */
export const ShownDeployTarget = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('hook'), host: z.string() }),
  DeployTarget.options[1],
  DeployTarget.options[2],
])
export type ShownDeployTarget = z.infer<typeof ShownDeployTarget>

const retentionDays = z.number().int().min(1).max(36_500).nullable()

/**
 * Days after which a project's transcripts and ended jobs are removed. Null: the period of the
 * instance applies. A shorter period of the instance always applies.
 */
export const ProjectRetention = z.strictObject({ transcriptDays: retentionDays, jobDays: retentionDays })
export type ProjectRetention = z.infer<typeof ProjectRetention>

/** Response to GET /dashboard/api/projects/{projectId}/settings. */
export const ProjectSettings = z.object({
  name: z.string(),
  repository: z.url(),
  baseBranch: z.string().nullable(),
  credential: ProjectCredential,
  budgets: ProjectBudgets,
  policy: ProjectPolicy,
  sources: z.array(ProjectSource),
  /** One entry per source, in the same order. */
  sourceCredentials: z.array(SourceCredential),
  deployTarget: ShownDeployTarget.nullable(),
  deployOnMerge: z.boolean(),
  deleteBranchOnClose: z.boolean(),
  /** Null if the project has no previews. */
  previewUrlTemplate: z.string().nullable(),
  /** Spend in the current month, and the project's budget for each month. */
  monthlySpend: MonthlySpend,
  retention: ProjectRetention,
  /**
   * Time of the last change to the settings, and the name of the user who made it. Null if the
   * settings have not changed since the project was created.
   */
  changedAt: timestamp.nullable(),
  changedBy: z.string().nullable(),
})
export type ProjectSettings = z.infer<typeof ProjectSettings>

/** Makes a field optional and nullable. Null restores the default. */
const orDefault = <S extends z.ZodType>(schema: S) => schema.nullable().optional()

/** Makes every field of an object optional and nullable. */
const orDefaults = <Shape extends z.ZodRawShape>({ shape }: z.ZodObject<Shape>) => {
  const fields = Object.entries(shape).map(([name, schema]) => [name, orDefault(schema as z.ZodType)])
  return z.strictObject(
    Object.fromEntries(fields) as { -readonly [Name in keyof Shape]: z.ZodOptional<z.ZodNullable<Shape[Name]>> },
  )
}

/** Body of PATCH …/settings. Changes only the given fields; null restores the default. */
export const UpdateProjectSettings = z.strictObject({
  name: z.string().trim().min(1).max(100).optional(),
  repository: z.url().max(500).optional(),
  baseBranch: BranchName.nullable().optional(),
  budgets: orDefaults(ProjectBudgets).nullable().optional(),
  policy: orDefaults(ProjectPolicy).nullable().optional(),
  /** Replaces all sources. Null removes them. */
  sources: orDefault(ProjectSources),
  deployTarget: DeployTarget.nullable().optional(),
  deployOnMerge: z.boolean().nullable().optional(),
  deleteBranchOnClose: z.boolean().nullable().optional(),
  previewUrlTemplate: PreviewUrlTemplate.nullable().optional(),
  /** US dollars per calendar month in UTC. Null removes the budget. */
  monthlyBudgetUsd: z.number().min(0.01).max(1_000_000_000).multipleOf(0.01).nullable().optional(),
  /** Changes only the given periods. Null restores the periods of the instance. */
  retention: ProjectRetention.partial().nullable().optional(),
})
export type UpdateProjectSettings = z.infer<typeof UpdateProjectSettings>

/** Body of PATCH …/settings in the dashboard. */
export const SaveSettingsRequest = UpdateProjectSettings.extend({
  /**
   * Name of the source in `sources` that the user has added or edited. The other sources keep their
   * access to the credentials of the instance.
   */
  savedSource: z.string().max(40).optional(),
})
export type SaveSettingsRequest = z.infer<typeof SaveSettingsRequest>

/** Body of PUT …/credential: a personal access token (fine-grained or classic) for the Git host. */
export const SaveCredentialRequest = z.strictObject({
  token: z
    .string()
    .trim()
    .min(20, 'is too short for an access token')
    .max(500)
    .regex(/^[\x21-\x7e]+$/, 'must contain only ASCII characters, without spaces'),
})
export type SaveCredentialRequest = z.infer<typeof SaveCredentialRequest>
