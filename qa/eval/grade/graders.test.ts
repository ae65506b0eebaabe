import path from 'node:path'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { readYaml } from '../../read-yaml.ts'
import { EVAL_FOLDER } from '../task/sites.ts'
import { applySteps, Step } from '../task/steps.ts'
import { type Attempt, GRADERS, Grader, gradeAttempt } from './graders.ts'

/** A change of the correct answer: of its files or of what the model says. */
const Change = z.looseObject({ steps: z.array(Step).default([]) })

const file = z.strictObject({
  base: z.record(z.string(), z.string()),
  gold: z.array(Step),
  /** A file of the private source `code`. With other names, it is also the file of a public source. */
  code: z.string(),
  cases: z.array(z.strictObject({ grader: Grader, passes: z.array(Change), fails: z.array(Change) })),
})
const { cases, code, ...trees } = readYaml(path.join(EVAL_FOLDER, 'grade/graders.yaml'), file)

const base = new Map(Object.entries(trees.base))
const gold = applySteps(base, trees.gold)
const sources = [
  { name: 'code', visibility: 'private', files: new Map([['src/a.ts', code]]) },
  { name: 'open', visibility: 'public', files: new Map([['src/b.ts', code.replaceAll('secret', 'public')]]) },
] as const

it.each(cases.map((one) => [JSON.stringify(one.grader), one] as const))('%s', (_, { grader, passes, fails }) => {
  const grade = ({ steps, ...said }: z.infer<typeof Change>) => {
    const after = applySteps(gold, steps)
    const words = {
      outcome: 'changed',
      code: null,
      title: 'Better',
      body: 'Yes.',
      reason: '',
      evidence: [],
      problems: [],
    }
    return gradeAttempt([grader], { ...words, ...said, after } as Attempt, { base, gold, sources })
  }
  for (const change of passes) expect(grade(change), JSON.stringify(change)).toEqual([])
  for (const change of fails) expect(grade(change), JSON.stringify(change)).toHaveLength(1)
})

it('has a case that fails for every kind of grader', () => {
  expect(new Set(cases.map(({ grader }) => grader.kind))).toEqual(new Set(Object.keys(GRADERS)))
  for (const { grader, fails } of cases) expect(fails, grader.kind).not.toEqual([])
})
