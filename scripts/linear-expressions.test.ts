import { describe, expect, it } from 'vitest'
import { collectExpressions } from './linear-expressions/collect-expressions.ts'
import { LINEAR, MAX_STEPS, type Measure, measureExpression } from './linear-expressions/measure-expression.ts'

/** The packages that read texts of repositories, prompts, models and hosts. */
const FOLDERS = [
  'packages/agent/src',
  'packages/contracts/src',
  'packages/git/src',
  'packages/site/src',
  'apps/worker/src',
]

const isLinear = ({ growth, steps }: Measure) => growth <= LINEAR && steps <= MAX_STEPS

describe('the measurement', () => {
  const measure = (expression: RegExp) =>
    measureExpression({ path: '', line: 1, expression, use: expression.global ? 'all' : 'first' })

  it.each([
    /\/+$/,
    /^\/+|\/+$/g,
    /(a+)+b/,
    /(?:a|a)*$/,
    /^(?:a?){20}b/,
    /^\s*x?\s*$/,
    /^[ \t]*(.*?)[ \t]*$/,
    /x(?!.*y)/g,
    /(?<=\s*)x/g,
    /(["'])(?:a|\\.)*\1/g,
    /[^<]{20000}/,
    /\{(?:a=[^ }]{1,2000} ?){1,20}\}/g,
    /^- (?:[ -]+[ -]*){0,9}x/gm,
    /<!--\s*include:\s*([^\n]{0,1000}?)\s*-->/g,
    /\p{L}+(?=\s)/gu,
  ])('finds the growth of %s', (expression) => {
    expect(isLinear(measure(expression))).toBe(false)
  })

  it.each([
    /(?<!\/)\/+$/,
    /^a+b/,
    /[?#].*$/s,
    /\[[^[\]]+\]/g,
    /"(?:[^"\\\n]|\\.)*"?/g,
    /^(?:a|b)*$/,
    /^(?=.*x)(?=.*y)/s,
  ])('accepts %s', (expression) => {
    expect(isLinear(measure(expression))).toBe(true)
  })
})

it('every regular expression that may meet untrusted text takes linear time', { timeout: 600_000 }, () => {
  const expressions = collectExpressions('.', FOLDERS)
  const known = new Map<string, Measure>()
  const measured = expressions.map((one) => {
    const key = `${one.use} ${one.expression}`
    const measure = known.get(key) ?? measureExpression(one)
    known.set(key, measure)
    return { ...one, ...measure }
  })
  const [slowest] = measured.toSorted((a, b) => b.steps - a.steps)
  console.info(
    `${expressions.length} regular expressions. The slowest takes ${Math.round((slowest?.steps ?? 0) * 1024)} steps per KiB: ${slowest?.path}:${slowest?.line}`,
  )
  expect(expressions.length).toBeGreaterThan(1_000)
  expect(
    measured
      .filter((one) => !isLinear(one))
      .map(({ path, line, expression, growth, steps, pump }) => ({
        expression: `${path}:${line} ${expression}`,
        repeat: pump,
        growth: Math.round(growth),
        stepsPerCharacter: Math.round(steps),
      })),
  ).toEqual([])
})
