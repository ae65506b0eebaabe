import type { Expression } from './collect-expressions.ts'
import { compileExpression } from './compile-expression.ts'
import { buildStepCounter } from './count-steps.ts'
import { listInputs } from './list-inputs.ts'

export interface Measure {
  /** Factor by which the steps grow if a text of 1 KiB is made four times as long. 4 is linear. */
  readonly growth: number
  /** Steps for each character of a text of 1 KiB. */
  readonly steps: number
  /** The repeated part of the text. */
  readonly pump: string
}

/** Growth above this is not linear. */
export const LINEAR = 6
/** Maximum steps for each character. */
export const MAX_STEPS = 1_000
const SHORT = 1_024
/** Length of the texts that are tried first. */
const PROBE = 64
/** With more steps for each character, no other end of a text is tried. */
const ENOUGH = 50
/** With fewer steps for each character, the time does not grow with the length. */
const FEW = 8
const MAX_TEXTS = 3

/** Makes a text of any length. */
type ToText = (size: number) => string

interface Probe {
  readonly pump: string
  readonly toText: ToText
  readonly steps: number
}

/** Measures a pattern with the texts for which it needs the most steps. */
export function measureExpression({ expression, use }: Expression): Measure {
  const countSteps = buildStepCounter(compileExpression(expression))
  const count = (toText: ToText, size: number, most = MAX_STEPS) =>
    countSteps(toText(size), use, (most + 1) * size) / size
  const probes: Probe[] = []
  for (const { prefix, pump, suffixes } of listInputs(expression)) {
    let worst: Probe | null = null
    for (const suffix of suffixes) {
      const toText = (size: number) =>
        prefix + pump.repeat(Math.ceil((size - prefix.length - suffix.length) / pump.length)) + suffix
      const steps = count(toText, PROBE, 4 * ENOUGH)
      if (worst === null || steps > worst.steps) worst = { pump, toText, steps }
      if (steps > ENOUGH) break
    }
    if (worst !== null) probes.push(worst)
  }
  probes.sort((a, b) => b.steps - a.steps)
  // A text for which the limits of repetitions allow many steps can occur many times.
  const repeated = probes.slice(0, 1).flatMap(({ toText }) =>
    ['', '\n'].map((end): Probe => {
      const pump = toText(PROBE / 2) + end
      return { pump, toText: (size) => pump.repeat(Math.ceil(size / pump.length)), steps: 0 }
    }),
  )
  let worst: Measure = { growth: 1, steps: 0, pump: '' }
  for (const { toText, pump } of [...probes.slice(0, MAX_TEXTS), ...repeated]) {
    const steps = count(toText, SHORT)
    const growth = steps < FEW ? 4 : (4 * count(toText, 4 * SHORT, (LINEAR / 4) * steps)) / steps
    const measure = { growth, steps, pump }
    if (growth > LINEAR || steps > MAX_STEPS) return measure
    if (steps > worst.steps) worst = measure
  }
  return worst
}
