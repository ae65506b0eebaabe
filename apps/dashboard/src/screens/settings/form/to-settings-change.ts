import { type DeployTarget, UpdateProjectSettings } from '@corrigenda/contracts'
import { toJsonObject, toLines, toNumber, toPairs } from '../form-text.ts'
import type { SettingsDraft, SettingsField } from './settings-draft.ts'

export type SettingsErrors = Partial<Record<SettingsField, string>>

interface Part {
  /** Path in the request. */
  readonly path: readonly [string, string?]
  readonly read: (draft: SettingsDraft) => unknown
}

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())
const linesOrNull = (text: string) => (toLines(text).length > 0 ? toLines(text) : null)
const target: Part = { path: ['deployTarget'], read: toDeployTarget }
const locales: Part = {
  path: ['policy', 'locales'],
  read: ({ localeChoice, localeList }) => (localeChoice === 'some' ? toLines(localeList) : localeChoice),
}

/** Where each field is in the request. */
const PARTS: Readonly<Record<SettingsField, Part>> = {
  name: { path: ['name'], read: ({ name }) => name },
  repository: { path: ['repository'], read: ({ repository }) => repository.trim() },
  baseBranch: { path: ['baseBranch'], read: ({ baseBranch }) => orNull(baseBranch) },
  readable: { path: ['policy', 'readable'], read: ({ readable }) => linesOrNull(readable) },
  writable: { path: ['policy', 'writable'], read: ({ writable }) => linesOrNull(writable) },
  forbidden: { path: ['policy', 'forbidden'], read: ({ forbidden }) => toLines(forbidden) },
  maxFiles: { path: ['policy', 'maxFiles'], read: ({ maxFiles }) => toNumber(maxFiles) },
  maxLines: { path: ['policy', 'maxLines'], read: ({ maxLines }) => toNumber(maxLines) },
  localeChoice: locales,
  localeList: locales,
  allowedCode: { path: ['policy', 'allowedCode'], read: ({ allowedCode }) => allowedCode },
  instructions: { path: ['policy', 'instructions'], read: ({ instructions }) => instructions },
  model: { path: ['policy', 'model'], read: ({ model }) => orNull(model) },
  pullRequestDetails: { path: ['policy', 'pullRequestDetails'], read: (draft) => draft.pullRequestDetails },
  draft: { path: ['policy', 'draft'], read: ({ draft }) => draft },
  signOff: { path: ['policy', 'signOff'], read: ({ signOff }) => signOff },
  coAuthoredBy: { path: ['policy', 'coAuthoredBy'], read: ({ coAuthoredBy }) => coAuthoredBy },
  labels: { path: ['policy', 'labels'], read: ({ labels }) => toLines(labels) },
  reviewers: { path: ['policy', 'reviewers'], read: ({ reviewers }) => toLines(reviewers) },
  codeownersReviewers: { path: ['policy', 'codeownersReviewers'], read: (draft) => draft.codeownersReviewers },
  branchPrefix: { path: ['policy', 'branchPrefix'], read: ({ branchPrefix }) => orNull(branchPrefix) },
  titlePattern: { path: ['policy', 'titlePattern'], read: ({ titlePattern }) => orNull(titlePattern) },
  requestedBranchPrefixes: {
    path: ['policy', 'requestedBranchPrefixes'],
    read: ({ requestedBranchPrefixes }) => toLines(requestedBranchPrefixes),
  },
  maxOpenPullRequests: {
    path: ['policy', 'maxOpenPullRequests'],
    read: ({ maxOpenPullRequests }) => toNumber(maxOpenPullRequests),
  },
  dedupe: { path: ['policy', 'dedupe'], read: ({ dedupe }) => dedupe },
  comments: { path: ['policy', 'comments'], read: ({ comments }) => comments },
  questions: { path: ['policy', 'questions'], read: ({ questions }) => questions },
  maxTurns: { path: ['budgets', 'maxTurns'], read: ({ maxTurns }) => toNumber(maxTurns) },
  maxCostUsd: { path: ['budgets', 'maxCostUsd'], read: ({ maxCostUsd }) => toNumber(maxCostUsd) },
  maxSeconds: { path: ['budgets', 'maxSeconds'], read: ({ maxSeconds }) => toNumber(maxSeconds) },
  maxInputTokens: { path: ['budgets', 'maxInputTokens'], read: ({ maxInputTokens }) => toNumber(maxInputTokens) },
  maxOutputTokens: { path: ['budgets', 'maxOutputTokens'], read: ({ maxOutputTokens }) => toNumber(maxOutputTokens) },
  monthlyBudgetUsd: { path: ['monthlyBudgetUsd'], read: ({ monthlyBudgetUsd }) => toNumber(monthlyBudgetUsd) },
  transcriptDays: { path: ['retention', 'transcriptDays'], read: ({ transcriptDays }) => toNumber(transcriptDays) },
  jobDays: { path: ['retention', 'jobDays'], read: ({ jobDays }) => toNumber(jobDays) },
  deployKind: target,
  hookUrl: target,
  workflow: target,
  workflowRef: target,
  inputs: target,
  eventType: target,
  payload: target,
  previewUrl: { path: ['previewUrlTemplate'], read: ({ previewUrl }) => orNull(previewUrl) },
  deployOnMerge: { path: ['deployOnMerge'], read: ({ deployOnMerge }) => deployOnMerge },
  deleteBranchOnClose: { path: ['deleteBranchOnClose'], read: ({ deleteBranchOnClose }) => deleteBranchOnClose },
}

/**
 * Returns the request that saves the edited fields, or the errors of the fields that cannot be saved.
 * The service checks the request again, and the rules that depend on other data.
 */
export function toSettingsChange(
  draft: SettingsDraft,
  edited: readonly SettingsField[],
): { change: UpdateProjectSettings } | { errors: SettingsErrors } {
  const errors: SettingsErrors = {}
  const change: Record<string, unknown> = {}
  for (const name of edited) {
    const { path, read } = PARTS[name]
    const [group, key] = path
    try {
      const value = read(draft)
      if (key === undefined) change[group] = value
      else change[group] = { ...(change[group] as object | undefined), [key]: value }
    } catch (error) {
      errors[error instanceof FieldError ? error.field : name] = (error as Error).message
    }
  }
  if (Object.keys(errors).length > 0) return { errors }
  const checked = UpdateProjectSettings.safeParse(change)
  if (checked.success) return { change: change as UpdateProjectSettings }
  for (const { path, message } of checked.error.issues) {
    const field = toField(path, edited)
    if (field !== null) errors[field] ??= toSentence(message, path.at(-1))
  }
  return { errors }
}

class FieldError extends Error {
  constructor(
    readonly field: SettingsField,
    message: string,
  ) {
    super(message)
  }
}

/** Names of a deploy target's fields in the request, and in the form. */
const TARGET_FIELDS: Readonly<Record<string, SettingsField>> = {
  url: 'hookUrl',
  workflow: 'workflow',
  ref: 'workflowRef',
  inputs: 'inputs',
  eventType: 'eventType',
  clientPayload: 'payload',
}

function toField(path: readonly PropertyKey[], edited: readonly SettingsField[]): SettingsField | null {
  const [group, key] = path.map(String)
  if (group === 'deployTarget' && key !== undefined) return TARGET_FIELDS[key] ?? 'deployKind'
  const isAt = (name: SettingsField) => PARTS[name].path[0] === group && PARTS[name].path[1] === key
  // Both fields of the languages have the same path. The list has the value.
  return edited.toReversed().find(isAt) ?? edited.find((name) => PARTS[name].path[0] === group) ?? null
}

/** The list fields have one entry per line. */
function toSentence(message: string, last: PropertyKey | undefined): string {
  const text = `${message.charAt(0).toUpperCase()}${message.slice(1)}${message.endsWith('.') ? '' : '.'}`
  return typeof last === 'number' ? `Line ${last + 1}: ${text}` : text
}

/** @throws FieldError if a field cannot be parsed */
function toDeployTarget(draft: SettingsDraft): DeployTarget | null {
  const { deployKind: kind, hookUrl, workflow, workflowRef: ref, inputs, eventType, payload } = draft
  if (kind === 'none') return null
  if (kind === 'hook') return { kind, url: hookUrl.trim() }
  if (kind === 'workflow_dispatch') {
    const pairs = parse('inputs', () => toPairs(inputs))
    return {
      kind,
      workflow: workflow.trim(),
      ...(ref.trim() === '' ? {} : { ref: ref.trim() }),
      ...(Object.keys(pairs).length === 0 ? {} : { inputs: pairs }),
    }
  }
  type Payload = Extract<DeployTarget, { kind: 'repository_dispatch' }>['clientPayload']
  const clientPayload = parse('payload', () => toJsonObject(payload)) as Payload
  return { kind, eventType: eventType.trim(), ...(clientPayload === undefined ? {} : { clientPayload }) }
}

function parse<T>(field: SettingsField, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new FieldError(field, (error as Error).message)
  }
}
