import type { Budgets } from '@corrigenda/agent/loop'
import type { Locales } from '@corrigenda/agent/policy'
import {
  buildFileRule,
  buildLocaleRule,
  buildPathPolicy,
  type PathPolicy,
  type PathRule,
} from '@corrigenda/agent/policy'
import type { RunPolicyFile } from '@corrigenda/contracts'
import type { RunSettings } from '@corrigenda/core/projects'

/** Policy input from the repository. */
interface RepositoryFacts {
  /** The repository's policy files, which can only narrow the policy. */
  readonly files: readonly RunPolicyFile[]
  readonly locales: Locales
  /** Configuration files whose navigation and redirects may change. */
  readonly navigationFiles?: ReadonlySet<string>
}

const NOTHING: RepositoryFacts = { files: [], locales: { toTranslation: () => null } }

/**
 * Returns a run's path policy and limits. Each level can only narrow them: the project cannot lift
 * built-in protection, and the repository cannot allow what the project forbids.
 */
export function toRunPolicy(
  { policy }: Pick<RunSettings, 'policy'>,
  { files, locales, navigationFiles }: RepositoryFacts = NOTHING,
): PathPolicy {
  const { writable, forbidden } = policy
  const readable = [policy.readable, ...files.map((file) => file.policy.readable)].filter((globs) => globs != null)
  const rules = [
    buildLocaleRule(policy.locales, locales, 'the settings of this project'),
    ...files.flatMap(({ path, policy: own }) => [
      buildFileRule(own, path),
      buildLocaleRule(own.locales ?? 'all', locales, `the repository's ${path}`),
    ]),
  ].filter((rule): rule is PathRule => rule !== null)
  const maxFiles = findLeast([policy.maxFiles, ...files.map((file) => file.policy.maxFiles)])
  const maxLines = findLeast([policy.maxLines, ...files.map((file) => file.policy.maxLines)])
  return buildPathPolicy({
    ...(writable === null ? {} : { writable }),
    ...(readable.length === 0 ? {} : { readable }),
    deny: forbidden,
    allowedCode: policy.allowedCode,
    ...(navigationFiles === undefined ? {} : { navigationFiles }),
    ...(rules.length === 0 ? {} : { rules }),
    ...(maxFiles === null ? {} : { maxFiles }),
    ...(maxLines === null ? {} : { maxChangedLines: maxLines }),
  })
}

/** Returns whether any policy depends on which files are translations. */
export const needsLocales = ({ policy }: Pick<RunSettings, 'policy'>, files: readonly RunPolicyFile[]): boolean =>
  [policy.locales, ...files.map((file) => file.policy.locales ?? 'all')].some((rule) => rule !== 'all')

/** Returns the tightest value of each budget across the service, the project and the repository. */
export function toRunBudgets(
  service: Budgets,
  { budgets }: Pick<RunSettings, 'budgets'>,
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

/** Returns the lowest bound; null if no bound is set. */
function findLeast(bounds: readonly (number | null | undefined)[]): number | null {
  const given = bounds.filter((bound) => typeof bound === 'number')
  return given.length === 0 ? null : Math.min(...given)
}
