import type { UpdateProjectSettings } from '@corrigenda/contracts'
import type { AuditContext } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { toChangedFields } from '../audit/to-changed-fields.ts'
import type { Db } from '../db/open-database.ts'
import { hasDeployTarget } from './deploy-target.ts'
import type { RunSettings } from './run-settings.ts'

/**
 * Returns a project's settings as the audit log records them; null if it does not exist. The deploy
 * target is encrypted, so only its kind and a change are recorded.
 */
export async function findRecordedFields(tx: Db, projectId: string) {
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
export async function recordSettings(
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
