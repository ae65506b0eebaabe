import type { Locales } from '@corrigenda/agent/policy'
import {
  buildFileFence,
  buildLocaleFence,
  buildPathPolicy,
  type Fence,
  type PathPolicy,
} from '@corrigenda/agent/policy'
import type { RunPolicyFile } from '@corrigenda/contracts'
import type { RunSettings } from '@corrigenda/core/projects'
import type { Budgets } from '../config/config.ts'

/** What of the repository takes part in the policy. */
export interface RepositoryFacts {
  /** Its own policy files; they can only narrow. */
  readonly files: readonly RunPolicyFile[]
  readonly locales: Locales
}

const NOTHING: RepositoryFacts = { files: [], locales: { toTranslation: () => null } }

/**
 * What a run of a project may change. Limits only ever become narrower; what is protected stays so whatever the project says, and what the project
 * does not allow stays so whatever the repository says.
 */
export function toRunPolicy({ policy }: RunSettings, { files, locales }: RepositoryFacts = NOTHING): PathPolicy {
  const { writable, forbidden } = policy
  const fences = [
    buildLocaleFence(policy.locales, locales, 'the settings of this project'),
    ...files.flatMap(({ path, policy: own }) => [
      buildFileFence(own, path),
      buildLocaleFence(own.locales ?? 'all', locales, `${path} of the repository`),
    ]),
  ].filter((fence): fence is Fence => fence !== null)
  const maxFiles = findLeast([policy.maxFiles, ...files.map((file) => file.policy.maxFiles)])
  const maxLines = findLeast([policy.maxLines, ...files.map((file) => file.policy.maxLines)])
  return buildPathPolicy({
    ...(writable === null ? {} : { writable }),
    deny: forbidden,
    ...(fences.length === 0 ? {} : { fences }),
    ...(maxFiles === null ? {} : { maxFiles }),
    ...(maxLines === null ? {} : { maxChangedLines: maxLines }),
  })
}

/** Whether anybody asks which files are translations. */
export const needsLocales = ({ policy }: RunSettings, files: readonly RunPolicyFile[]): boolean =>
  [policy.locales, ...files.map((file) => file.policy.locales ?? 'all')].some((fence) => fence !== 'all')

/** The tightest of the budgets of the service, the project and the repository, one by one. */
export function toRunBudgets(
  service: Budgets,
  { budgets }: RunSettings,
  files: readonly RunPolicyFile[] = [],
): Budgets {
  const least = (name: keyof Budgets) =>
    Math.min(
      service[name],
      findLeast([budgets[name], ...files.map((file) => file.policy.budgets?.[name])]) ?? Number.POSITIVE_INFINITY,
    )
  return {
    maxTurns: least('maxTurns'),
    maxInputTokens: least('maxInputTokens'),
    maxOutputTokens: least('maxOutputTokens'),
    maxCostUsd: least('maxCostUsd'),
    maxSeconds: least('maxSeconds'),
  }
}

/** Null when there is no bound. */
function findLeast(bounds: readonly (number | null | undefined)[]): number | null {
  const given = bounds.filter((bound) => typeof bound === 'number')
  return given.length === 0 ? null : Math.min(...given)
}
