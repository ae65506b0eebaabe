import type { CodeKind, ProjectPolicy, ProjectSettings } from '@corrigenda/contracts'
import { fromLines, fromNumber, fromPairs } from '../form-text.ts'

/** The values of all fields of the page that are saved together. */
export type SettingsDraft = ReturnType<typeof toSettingsDraft>
export type SettingsField = keyof SettingsDraft

export type DeployKind = 'none' | 'hook' | 'workflow_dispatch' | 'repository_dispatch'
export type LocaleChoice = 'all' | 'source-only' | 'some'

/** Returns the form values of the saved settings. */
export function toSettingsDraft(settings: ProjectSettings) {
  const { policy, budgets, retention, deployTarget: target } = settings
  return {
    name: settings.name,
    repository: settings.repository as string,
    baseBranch: settings.baseBranch ?? '',

    readable: fromLines(policy.readable),
    writable: fromLines(policy.writable),
    forbidden: fromLines(policy.forbidden),
    maxFiles: fromNumber(policy.maxFiles),
    maxLines: fromNumber(policy.maxLines),
    localeChoice: (typeof policy.locales === 'string' ? policy.locales : 'some') as LocaleChoice,
    localeList: typeof policy.locales === 'string' ? '' : fromLines(policy.locales),
    allowedCode: policy.allowedCode as readonly CodeKind[],
    instructions: policy.instructions,
    model: policy.model ?? '',
    pullRequestDetails: policy.pullRequestDetails as ProjectPolicy['pullRequestDetails'],
    draft: policy.draft,
    signOff: policy.signOff,
    coAuthoredBy: policy.coAuthoredBy,
    labels: fromLines(policy.labels),
    reviewers: fromLines(policy.reviewers),
    codeownersReviewers: policy.codeownersReviewers,
    branchPrefix: policy.branchPrefix,
    titlePattern: policy.titlePattern ?? '',
    requestedBranchPrefixes: fromLines(policy.requestedBranchPrefixes),
    maxOpenPullRequests: fromNumber(policy.maxOpenPullRequests),
    dedupe: policy.dedupe,
    questions: policy.questions as ProjectPolicy['questions'],
    comments: policy.comments as ProjectPolicy['comments'],

    maxTurns: fromNumber(budgets.maxTurns),
    maxCostUsd: fromNumber(budgets.maxCostUsd),
    maxSeconds: fromNumber(budgets.maxSeconds),
    maxInputTokens: fromNumber(budgets.maxInputTokens),
    maxOutputTokens: fromNumber(budgets.maxOutputTokens),
    monthlyBudgetUsd: fromNumber(settings.monthlySpend.budgetUsd),
    transcriptDays: fromNumber(retention.transcriptDays),
    jobDays: fromNumber(retention.jobDays),

    deployKind: (target?.kind ?? 'none') as DeployKind,
    /** Never shown, because it can contain a secret. Empty: unchanged. */
    hookUrl: '',
    workflow: target?.kind === 'workflow_dispatch' ? target.workflow : '',
    workflowRef: target?.kind === 'workflow_dispatch' ? (target.ref ?? '') : '',
    inputs: target?.kind === 'workflow_dispatch' ? fromPairs(target.inputs) : '',
    eventType: target?.kind === 'repository_dispatch' ? target.eventType : '',
    payload:
      target?.kind === 'repository_dispatch' && target.clientPayload
        ? JSON.stringify(target.clientPayload, null, 2)
        : '',
    previewUrl: settings.previewUrlTemplate ?? '',
    deployOnMerge: settings.deployOnMerge,
    deleteBranchOnClose: settings.deleteBranchOnClose,
  }
}

/** Values that differ from the saved ones. */
export type SettingsEdits = Partial<SettingsDraft>

export const NO_EDITS: SettingsEdits = {}

export const readEdits = (stored: unknown): SettingsEdits | null =>
  stored !== null && typeof stored === 'object' && !Array.isArray(stored) ? (stored as SettingsEdits) : null

/** The URL of a deploy hook can contain a secret, so it is not kept in the browser. */
export function toStoredEdits({ hookUrl: _, ...edits }: SettingsEdits): SettingsEdits {
  return edits
}

/** Returns the edits that have an effect: other values than the saved ones, in fields that are shown. */
export function toEffectiveEdits(saved: SettingsDraft, edits: SettingsEdits): SettingsEdits {
  const draft = { ...saved, ...edits }
  return Object.fromEntries(
    Object.entries(edits).filter(([name, value]) => {
      const before = saved[name as SettingsField]
      const isSameType = typeof value === typeof before && Array.isArray(value) === Array.isArray(before)
      return isSameType && JSON.stringify(value) !== JSON.stringify(before) && isShown(name as SettingsField, draft)
    }),
  )
}

function isShown(name: SettingsField, draft: SettingsDraft): boolean {
  if (name === 'localeList') return draft.localeChoice === 'some'
  if (name === 'hookUrl') return draft.deployKind === 'hook'
  if (name === 'previewUrl') return draft.deployKind !== 'none'
  if (name === 'workflow' || name === 'workflowRef' || name === 'inputs')
    return draft.deployKind === 'workflow_dispatch'
  if (name === 'eventType' || name === 'payload') return draft.deployKind === 'repository_dispatch'
  return true
}
