import {
  DEFAULT_PROJECT_BUDGETS,
  DEFAULT_PROJECT_POLICY,
  ProjectBudgets,
  ProjectPolicy,
  type UpdateProjectSettings,
} from '@corrigenda/contracts'
import { z } from 'zod'
import { AppError } from '../base/errors.ts'

/** The project settings that apply to a run. */
export interface RunSettings {
  readonly budgets: ProjectBudgets
  readonly policy: ProjectPolicy
}

const Stored = z.strictObject({
  budgets: ProjectBudgets.partial().default({}),
  policy: ProjectPolicy.partial().default({}),
})

/**
 * Parses stored settings and fills in the defaults.
 * @param stored value of `projects.settings` or `runs.settings`, or null if never set
 * @throws AppError `service_unavailable` for settings that this version does not support, because an
 * unknown limit must not be ignored. During an update, a process of the newer version accepts them.
 */
export function toRunSettings(stored: unknown): RunSettings {
  const parsed = Stored.safeParse(stored ?? {})
  if (!parsed.success) {
    const where = parsed.error.issues[0]?.path.join('.') || 'settings'
    throw new AppError(
      'service_unavailable',
      `This process does not support a stored project setting (${where}). A newer version stored it. Update every process, and try again in a few seconds.`,
      5,
    )
  }
  const { budgets, policy } = parsed.data
  return {
    budgets: fillIn(DEFAULT_PROJECT_BUDGETS, budgets),
    policy: fillIn(DEFAULT_PROJECT_POLICY, policy),
  }
}

/**
 * Returns the settings to store. Includes only those that differ from the defaults, so that a later
 * version can change the defaults.
 */
export function toStoredSettings({ budgets, policy }: RunSettings) {
  return {
    budgets: differing(DEFAULT_PROJECT_BUDGETS, budgets),
    policy: differing(DEFAULT_PROJECT_POLICY, policy),
  }
}

/** Returns the settings after a change. Omitted fields are kept, and null restores a default. */
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
