import {
  DEFAULT_PROJECT_BUDGETS,
  DEFAULT_PROJECT_POLICY,
  ProjectBudgets,
  ProjectPolicy,
  type UpdateProjectSettings,
} from '@corrigenda/contracts'
import { z } from 'zod'

/** What of a project's settings a run works under. */
export interface RunSettings {
  readonly budgets: ProjectBudgets
  readonly policy: ProjectPolicy
}

const Stored = z.strictObject({
  budgets: ProjectBudgets.partial().default({}),
  policy: ProjectPolicy.partial().default({}),
})

/**
 * Stored settings with the defaults filled in.
 * @param stored what `projects.settings` or `runs.settings` holds; null: nothing was ever set
 * @throws Error for settings this version does not know: a limit that is not understood must not be passed over
 */
export function toRunSettings(stored: unknown): RunSettings {
  const parsed = Stored.safeParse(stored ?? {})
  if (!parsed.success) {
    const where = parsed.error.issues[0]?.path.join('.') || 'settings'
    throw new Error(
      `The stored settings of a project are not understood (${where}). A newer version may have written them.`,
    )
  }
  const { budgets, policy } = parsed.data
  return {
    budgets: fillIn(DEFAULT_PROJECT_BUDGETS, budgets),
    policy: fillIn(DEFAULT_PROJECT_POLICY, policy),
  }
}

/** What is kept: only what differs from the defaults, so that a later version may change those. */
export function toStoredSettings({ budgets, policy }: RunSettings) {
  return {
    budgets: differing(DEFAULT_PROJECT_BUDGETS, budgets),
    policy: differing(DEFAULT_PROJECT_POLICY, policy),
  }
}

/** Settings after a change: what is not named stays, null puts a default back. */
export function changeSettings(
  before: RunSettings,
  change: Pick<UpdateProjectSettings, 'budgets' | 'policy'>,
): RunSettings {
  return {
    budgets: apply(DEFAULT_PROJECT_BUDGETS, before.budgets, change.budgets),
    policy: apply(DEFAULT_PROJECT_POLICY, before.policy, change.policy),
  }
}

type Change<T> = { readonly [K in keyof T]?: T[K] | null | undefined }

function apply<T extends object>(defaults: T, before: T, change: Change<T> | null | undefined): T {
  if (change === null) return defaults
  return mapFields(defaults, (name) => {
    const value = change?.[name]
    if (value === undefined) return before[name]
    return value ?? defaults[name]
  })
}

const fillIn = <T extends object>(defaults: T, stored: Change<T>): T =>
  mapFields(defaults, (name) => stored[name] ?? defaults[name])

function differing<T extends object>(defaults: T, values: T): Partial<T> {
  const names = Object.keys(defaults) as (keyof T)[]
  const changed = names.filter((name) => JSON.stringify(values[name]) !== JSON.stringify(defaults[name]))
  return Object.fromEntries(changed.map((name) => [name, values[name]])) as Partial<T>
}

function mapFields<T extends object>(defaults: T, toValue: <K extends keyof T>(name: K) => T[K]): T {
  return Object.fromEntries(Object.keys(defaults).map((name) => [name, toValue(name as keyof T)])) as T
}
