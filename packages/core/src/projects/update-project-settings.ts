import { isDeepStrictEqual } from 'node:util'
import {
  type AllowedHosts,
  PreviewUrlTemplate,
  type ProjectSettings,
  type ProjectSource,
  type UpdateProjectSettings,
} from '@corrigenda/contracts'
import type { AuditContext, AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { toChangedFields } from '../audit/to-changed-fields.ts'
import { AppError, notFound } from '../base/errors.ts'
import type { Db } from '../db/open-database.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { type SealingKey, toActiveKey } from '../sealing/sealing-key.ts'
import { toBranch } from './create-project.ts'
import { deleteStaleSourceCredentials } from './delete-source-credentials.ts'
import { findDeployTarget, hasDeployTarget, sealDeployTarget, toDeployTarget } from './deploy-target.ts'
import { getProjectSettings } from './get-project-settings.ts'
import { refuseModel } from './refuse-model.ts'
import { toRepositoryUrl } from './repository-url.ts'
import { changeSettings, type RunSettings, type StoredSource, toRunSettings, toStoredSettings } from './run-settings.ts'
import { toName } from './to-name.ts'

interface UpdateSettingsDeps extends AuditedDeps {
  readonly allowedRepositoryHosts: AllowedHosts
  readonly allowedHookHosts: readonly string[]
  /** Models that a project may choose. Null or omitted: every model. */
  readonly allowedModels?: readonly string[] | null
  /** Seals the deploy target. */
  readonly deployTargetKey: SealingKey
}

/**
 * Updates the given fields. Null restores a default. Deletes the project's token when its
 * repository moves to another host, because the token was issued for the previous host.
 * @param input.mayMove false to reject a repository change. The instance's App and token can access
 * the repositories of all projects, so only admins may choose which repository a project uses. For
 * the same reason, only the sources that admins save may be read with these credentials.
 * @param input.untouchedSources names of sources in `change` that keep their access to these
 * credentials, although an admin saves them
 * @throws AppError `not_found`, `invalid_request` with the reason, `role_missing`
 */
export async function updateProjectSettings(
  deps: UpdateSettingsDeps,
  input: { projectId: string; change: UpdateProjectSettings; mayMove?: boolean; untouchedSources?: readonly string[] },
): Promise<ProjectSettings> {
  const { projectId, change, mayMove = true, untouchedSources = [] } = input
  const { actor } = deps.audit
  const {
    name: newName,
    repository,
    baseBranch: newBranch,
    previewUrlTemplate: template,
    budgets,
    policy,
    sources: newSources,
    deployTarget,
    deployOnMerge,
    deleteBranchOnClose,
    monthlyBudgetUsd,
    retention,
    ...unhandled
  } = change
  // Every field is listed here, so that a new field does not compile until it is handled.
  unhandled satisfies Record<string, never>
  const name = newName === undefined ? undefined : rejectAsInvalid(toName, newName, 'project')
  const baseBranch = newBranch == null ? newBranch : rejectAsInvalid(toBranch, newBranch)
  const previewUrlTemplate = template == null ? template : rejectAsInvalid(toTemplate, template)
  const repositoryUrl =
    repository === undefined ? undefined : rejectAsInvalid(toRepositoryUrl, repository, deps.allowedRepositoryHosts)
  if (typeof policy?.model === 'string') refuseModel(policy.model, deps.allowedModels)
  const target =
    deployTarget && rejectAsInvalid(toDeployTarget, deployTarget, { allowedHosts: deps.allowedHookHosts, projectId })
  await deps.prisma.$transaction(async (tx) => {
    // The row lock prevents concurrent updates from overwriting each other's fields.
    const [before] = await tx.$queryRaw<{ settings: unknown; repository_url: string; deploy_target: unknown }[]>`
      SELECT settings, repository_url, deploy_target FROM projects WHERE id = ${projectId} AND deleted_at IS NULL FOR UPDATE`
    if (!before) throw notFound()
    if (!mayMove && repositoryUrl !== undefined && repositoryUrl !== before.repository_url) {
      throw new AppError('role_missing', "Only an admin can change a project's repository. Ask an admin to change it.")
    }
    const settings = toRunSettings(before.settings)
    const sources =
      newSources === undefined
        ? undefined
        : rejectAsInvalid(toStoredSources, deps, {
            sources: newSources,
            before: settings.sources,
            isTrusted: mayMove,
            documentation: before.repository_url,
            untouched: untouchedSources,
          })
    const recorded = await findRecordedFields(tx, projectId)
    // A target that is sealed again differs from the stored one, which would be recorded as a change.
    const isStored =
      target && isDeepStrictEqual(findDeployTarget(deps.deployTargetKey, projectId, before.deploy_target), target)
    const sealed = target && sealDeployTarget(await toActiveKey(tx, deps.deployTargetKey), projectId, target)
    const now = new Date()
    await tx.project.update({
      where: { id: projectId },
      data: {
        ...(name === undefined ? {} : { name }),
        ...(repositoryUrl === undefined ? {} : { repositoryUrl }),
        ...(baseBranch === undefined ? {} : { baseBranch }),
        ...(deployTarget === undefined || isStored ? {} : { deployTarget: sealed || Prisma.DbNull }),
        ...(deployOnMerge === undefined ? {} : { deployOnMerge: deployOnMerge ?? false }),
        ...(deleteBranchOnClose === undefined ? {} : { deleteBranchOnClose: deleteBranchOnClose ?? false }),
        ...(previewUrlTemplate === undefined ? {} : { previewUrlTemplate }),
        ...(monthlyBudgetUsd === undefined ? {} : { monthlyBudgetUsd }),
        ...toRetentionColumns(retention),
        settings: toStoredSettings(changeSettings(settings, { budgets, policy, sources })),
        settingsChangedAt: now,
        settingsChangedBy: actor.name,
        settingsChangedById: actor.id,
        updatedAt: now,
      },
    })
    await recordSettings(tx, deps.audit, { projectId, before: recorded })
    if (sources !== undefined) await deleteStaleSourceCredentials(tx, deps.audit, { projectId, sources })
    if (repositoryUrl !== undefined) await deleteCredentialOfOtherHost(tx, deps.audit, { projectId, repositoryUrl })
  })
  return getProjectSettings(deps, projectId)
}

function toTemplate(text: string): string {
  const template = PreviewUrlTemplate.safeParse(text)
  if (template.success) return template.data
  throw new Error(`The URL for previews ${template.error.issues[0]?.message}.`)
}

function toRetentionColumns(retention: UpdateProjectSettings['retention']) {
  if (retention === null) return { retainTranscriptDays: null, retainJobDays: null }
  const { transcriptDays, jobDays } = retention ?? {}
  return {
    ...(transcriptDays === undefined ? {} : { retainTranscriptDays: transcriptDays }),
    ...(jobDays === undefined ? {} : { retainJobDays: jobDays }),
  }
}

/**
 * Deletes the project's stored token if it was saved for a different Git host. The token is not
 * used for another host in any case.
 */
async function deleteCredentialOfOtherHost(
  tx: Db,
  audit: AuditContext,
  { projectId, repositoryUrl }: { readonly projectId: string; readonly repositoryUrl: string },
): Promise<void> {
  const deleted = await tx.$queryRaw<{ host: string }[]>`
    DELETE FROM git_credentials WHERE project_id = ${projectId} AND host <> ${new URL(repositoryUrl).host} RETURNING host`
  for (const { host } of deleted) {
    const target = { type: 'credential', id: projectId, name: host }
    await recordAuditEvent(tx, audit, { action: 'credential.deleted', projectId, target })
  }
}

function rejectAsInvalid<A extends unknown[], T>(check: (...input: A) => T, ...input: A): T {
  try {
    return check(...input)
  } catch (error) {
    throw new AppError('invalid_request', error instanceof Error ? error.message : 'A setting is invalid.')
  }
}

/**
 * Validates sources with the rules for the documentation repository, and returns their stored form.
 * @param input.sources null removes all sources
 * @param input.before the stored sources
 * @param input.isTrusted true if an admin saves the sources. Their repositories may then be read
 * with the credentials of the instance. Otherwise, this requires that an admin chose the repository
 * earlier, as a source or as the documentation repository.
 * @param input.untouched names of sources that the caller only keeps. Saving them gives them no
 * further access
 * @throws Error whose message names the source and states the problem
 */
function toStoredSources(
  { allowedRepositoryHosts }: { readonly allowedRepositoryHosts: AllowedHosts },
  input: {
    readonly sources: readonly ProjectSource[] | null
    readonly before: readonly StoredSource[]
    readonly documentation: string
    readonly isTrusted: boolean
    readonly untouched?: readonly string[]
  },
): StoredSource[] {
  const chosen = new Set([
    input.documentation,
    ...input.before.filter((source) => source.mayUseInstanceCredential).map((source) => source.repository),
  ])
  return (input.sources ?? []).map((source) => {
    const repository = toSourceUrl(source, allowedRepositoryHosts)
    const isTrusted = input.isTrusted && !input.untouched?.includes(source.name)
    return { ...source, repository, mayUseInstanceCredential: isTrusted || chosen.has(repository) }
  })
}

function toSourceUrl({ name, repository }: ProjectSource, allowedHosts: AllowedHosts): string {
  try {
    return toRepositoryUrl(repository, allowedHosts)
  } catch (error) {
    throw new Error(`The source ${name} is not valid. ${(error as Error).message}`, { cause: error })
  }
}

/**
 * Returns a project's settings as the audit log records them; null if it does not exist. The deploy
 * target is encrypted, so only its kind and a change are recorded.
 */
async function findRecordedFields(tx: Db, projectId: string) {
  const project = await tx.project.findUnique({ where: { id: projectId } })
  if (project === null) return null
  const { name, repositoryUrl, baseBranch, deployOnMerge, deleteBranchOnClose } = project
  const { previewUrlTemplate, monthlyBudgetUsd } = project
  const { retainTranscriptDays: transcriptDays, retainJobDays: jobDays } = project
  const columns: Record<Exclude<keyof UpdateProjectSettings, 'deployTarget' | keyof RunSettings>, unknown> = {
    name,
    repository: repositoryUrl,
    baseBranch,
    deployOnMerge,
    deleteBranchOnClose,
    previewUrlTemplate,
    monthlyBudgetUsd: monthlyBudgetUsd === null ? null : Number(monthlyBudgetUsd),
    retention: { transcriptDays, jobDays },
  }
  const fields: Record<string, unknown> = { ...columns, ...Object(project.settings) }
  return { fields, deployTarget: project.deployTarget }
}

type RecordedFields = Awaited<ReturnType<typeof findRecordedFields>>

/** Records a project's changed settings. Records nothing if no setting changed. */
async function recordSettings(
  tx: Db,
  audit: AuditContext,
  { projectId, before }: { readonly projectId: string; readonly before: RecordedFields },
): Promise<void> {
  const now = await findRecordedFields(tx, projectId)
  if (before === null || now === null) return
  const changed = toChangedFields(before.fields, now.fields)
  if (JSON.stringify(before.deployTarget) !== JSON.stringify(now.deployTarget)) {
    changed.before.deployTarget = describeTarget(before.deployTarget)
    changed.after.deployTarget = describeTarget(now.deployTarget)
  }
  if (Object.keys(changed.after).length === 0) return
  await recordAuditEvent(tx, audit, {
    action: 'project.settings_changed',
    projectId,
    target: { type: 'project', id: projectId, name: String(now.fields.name) },
    ...changed,
  })
}

const describeTarget = (stored: unknown): string => (hasDeployTarget(stored) ? 'configured' : 'none')
