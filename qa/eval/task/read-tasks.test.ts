import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { buildReplay } from '../ci/build-replay.ts'
import { gradeAttempt } from '../grade/graders.ts'
import { FAMILIES, readTasks, type Solution, type Task } from './read-tasks.ts'
import { readSite } from './sites.ts'
import { applySteps } from './steps.ts'

const TASKS = readTasks()

const toBase = (task: Task) => applySteps(readSite((task.repository as { site: string }).site), task.before)

describe('the built-in tasks', () => {
  it('cover every family, and keep each site in one split', () => {
    for (const family of FAMILIES) expect(TASKS.filter((task) => task.family === family).length).toBeGreaterThan(3)
    const splits = TASKS.map(({ repository, split }) => `${JSON.stringify(repository)} ${split}`)
    expect(new Set(splits).size).toBe(new Set(TASKS.map(({ repository }) => JSON.stringify(repository))).size)
  })

  it.each(TASKS.map((task) => [task.id, task] as const))('%s: the graders detect every mistake', (_, task) => {
    const base = toBase(task)
    const gold = applySteps(base, task.gold.steps)
    const grade = ({ steps, ending }: Solution) => {
      const { outcome, title = '', body = '', reason = '', evidence = [] } = ending
      const after = outcome === 'changed' ? applySteps(base, steps) : base
      const attempt = { outcome, code: null, title, body, reason, after, evidence, problems: [] }
      return gradeAttempt(task.graders, attempt, { base, gold, sources: task.sources })
    }
    expect(grade(task.gold)).toEqual([])
    expect(task.wrong.length).toBeGreaterThanOrEqual(4)
    for (const wrong of task.wrong) expect(grade(wrong), wrong.how).not.toEqual([])
    const answers = [task.gold, ...task.wrong].map((answer) => {
      const tree = applySteps(base, answer.steps)
      expect(buildReplay(task, base, tree, answer).at(-1)?.at(-1)?.name).toBe('finish')
      return JSON.stringify([[...tree].sort(), answer.ending])
    })
    expect(new Set(answers).size).toBe(answers.length)
  })
})

describe('a task file', () => {
  const read = (...lines: string[]) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'corrigenda-tasks-'))
    mkdirSync(path.join(folder, 'rename'))
    writeFileSync(path.join(folder, 'rename/one.yaml'), lines.join('\n'))
    return readTasks({ glob: null, split: null, folder })
  }
  const answer = 'answer: { title: A, steps: [{ do: edit, path: docs/index.md, old: a, new: b }] }'

  it('is enough for a task, with the graders that every task needs', () => {
    const [task] = read('site: lantern', 'prompt: x', answer)
    expect(task).toMatchObject({ id: 'rename/one', split: 'train', gold: { ending: { body: 'A, as requested.' } } })
    expect(task?.graders.map(({ kind }) => kind)).toEqual([
      'outcome',
      'only-changed',
      'rest-untouched',
      'small-diff',
      'no-new-problems',
      'good-words',
    ])
    expect(read('site: lantern', 'prompt: x', answer, 'standard: false')[0]?.graders).toEqual([])
  })

  it.each([
    ['a misspelled field', ['site: lantern', 'promt: x', answer], /one\.yaml is invalid[\s\S]*"promt"/],
    ['an unknown site', ['site: nowhere', 'prompt: x', answer], /must be one of tidewater[\s\S]*at site/],
    ['no site and no repository', ['prompt: x', answer], /needs a site or a repository/],
    [
      'a step without a text',
      ['site: lantern', 'prompt: x', 'answer: { steps: [{ do: edit, path: a }] }'],
      /answer\.steps\[0\]\.old/,
    ],
    ['an unknown grader', ['site: lantern', 'prompt: x', answer, 'expect: [{ kind: pretty }]'], /expect\[0\]\.kind/],
    [
      'a grader without a parameter',
      ['site: lantern', 'prompt: x', answer, 'expect: [{ kind: exists }]'],
      /expect\[0\]\.path/,
    ],
    [
      'a pattern',
      ['site: lantern', 'prompt: x', answer, 'expect: [{ kind: says, pattern: "(" }]'],
      /regular expression/,
    ],
    ['a text that is not YAML', ['site: ['], /one\.yaml is not readable as YAML/],
  ])('with %s is rejected with the file and the field', (_, lines, message) => {
    expect(() => read(...lines)).toThrow(message)
  })

  it('is selected by pattern and split', () => {
    const choice = { glob: 'move/*', split: 'held-out', folder: null }
    expect(readTasks(choice).length).toBeGreaterThan(2)
    expect(() => readTasks({ ...choice, glob: 'nothing/*' })).toThrow('No task matches')
  })
})
