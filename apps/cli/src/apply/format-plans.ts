import { toPrintable } from '../terminal/print.ts'
import type { FieldChange, ProjectPlan, Step } from './plan.ts'

const SIGN = { create: '+', update: '~', remove: '-' } as const satisfies Record<Step['action'], string>

/** Maximum number of characters of a value. */
const SHOWN = 200

/** Returns a plan as lines: the changes of each project, then the objects that stay undeclared. */
export function formatPlans(plans: readonly ProjectPlan[]): string[] {
  return plans.flatMap(({ name, repository, id, steps, kept }) => {
    const notes = kept.map((subject) => `    ${subject} is not declared and stays`)
    const changes = steps.flatMap(({ action, subject, fields }) => [
      `  ${SIGN[action]} ${subject}`,
      ...fields.map(formatField),
    ])
    if (id !== null && changes.length + notes.length === 0) return []
    const heading = id === null ? `+ project ${name} (${repository})` : `project ${name} (${id})`
    return [heading, ...changes, ...notes].map(toPrintable)
  })
}

/** Returns the number of changes. */
export const countChanges = (plans: readonly ProjectPlan[]): number =>
  plans.reduce((sum, { id, steps }) => sum + steps.length + (id === null ? 1 : 0), 0)

const formatField = ({ field, before, after }: FieldChange): string =>
  `      ${field}: ${formatValue(before)} → ${formatValue(after)}`

function formatValue(value: unknown): string {
  const text = value === null || value === undefined ? '(none)' : JSON.stringify(value)
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}… (${text.length} characters)` : text
}
