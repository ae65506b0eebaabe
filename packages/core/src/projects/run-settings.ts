import {
  DEFAULT_PROJECT_BUDGETS,
  DEFAULT_PROJECT_POLICY,
  ProjectBudgets,
  ProjectPolicy,
  ProjectSource,
  type UpdateProjectSettings,
} from '@corrigenda/contracts'
import { z } from 'zod'
import { AppError } from '../base/errors.ts'

/** The project settings that apply to a run. */
export interface RunSettings {
  readonly budgets: ProjectBudgets
  readonly policy: ProjectPolicy
  readonly sources: readonly StoredSource[]
}

/** A source as stored. The flag follows from who saved the source; see `toStoredSources` in `update-project-settings.ts`. */
const StoredSource = ProjectSource.extend({
  /**
   * Whether the credentials of the instance may be used to read the repository. They can access the
   * repositories of all projects, so an admin must have chosen the repository.
   */
  mayUseInstanceCredential: z.boolean().default(false),
})
export type StoredSource = z.infer<typeof StoredSource>

const Stored = z.strictObject({
  budgets: ProjectBudgets.partial().default({}),
  policy: ProjectPolicy.partial().default({}),
  sources: z.array(StoredSource).default([]),
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
  const { budgets, policy, sources } = parsed.data
  return {
    budgets: fillIn(DEFAULT_PROJECT_BUDGETS, budgets),
    policy: fillIn(DEFAULT_PROJECT_POLICY, policy),
    sources,
  }
}

/**
 * Returns the settings to store. Includes only those that differ from the defaults, so that a later
 * version can change the defaults. Without sources, an earlier version supports the settings, too.
 */
export function toStoredSettings({ budgets, policy, sources }: RunSettings) {
  return {
    budgets: differing(DEFAULT_PROJECT_BUDGETS, budgets),
    policy: differing(DEFAULT_PROJECT_POLICY, policy),
    ...(sources.length === 0 ? {} : { sources: [...sources] }),
  }
}

/**
 * Returns the settings after a change. Omitted fields are kept, and null restores a default.
 * @param change.sources in the form that `toStoredSources` returns
 */
export function changeSettings(
  before: RunSettings,
  change: Pick<UpdateProjectSettings, 'budgets' | 'policy'> & {
    readonly sources?: readonly StoredSource[] | undefined
  },
): RunSettings {
  return {
    budgets: apply(DEFAULT_PROJECT_BUDGETS, before.budgets, change.budgets),
    policy: apply(DEFAULT_PROJECT_POLICY, before.policy, change.policy),
    sources: change.sources ?? before.sources,
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
