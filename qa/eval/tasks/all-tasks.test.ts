import { describe, expect, it } from 'vitest'
import { applySteps } from '../gold/apply-steps.ts'
import { buildReplay } from '../gold/build-replay.ts'
import { gradeAttempt } from '../grade/grade-attempt.ts'
import { applyOverlay } from '../run/apply-overlay.ts'
import { SITES, type SiteName, SPLITS } from '../sites/all-sites.ts'
import { readSourceTrees } from '../task/read-source-trees.ts'
import { FAMILIES, type Solution, type Task } from '../task/task.ts'
import { TaskFile, toTasks } from '../task/task-schema.ts'
import { ALL_TASKS } from './all-tasks.ts'

const toBase = (task: Task) => applyOverlay(SITES[(task.repository as { site: SiteName }).site](), task)

describe('the built-in tasks', () => {
  it('cover every family and both splits, with at least three mistakes each', () => {
    expect(ALL_TASKS.length).toBeGreaterThanOrEqual(72)
    expect(new Set(ALL_TASKS.map(({ id }) => id)).size).toBe(ALL_TASKS.length)
    for (const family of FAMILIES) expect(ALL_TASKS.filter((task) => task.family === family).length).toBeGreaterThan(3)
    for (const task of ALL_TASKS) {
      expect(task.spoiled.length, task.id).toBeGreaterThanOrEqual(3)
      expect(new Set(task.spoiled.map(({ how }) => how)).size, task.id).toBe(task.spoiled.length)
      expect(task.split).toBe(SPLITS[(task.repository as { site: SiteName }).site])
    }
    const heldOut = ALL_TASKS.filter(({ split }) => split === 'held-out').length
    expect(heldOut / ALL_TASKS.length).toBeGreaterThan(0.4)
    expect(heldOut / ALL_TASKS.length).toBeLessThan(0.6)
  })

  it('are valid as a task file', () => {
    const copy = JSON.parse(JSON.stringify(ALL_TASKS))
    expect(toTasks(TaskFile.parse(copy))).toEqual(copy)
  })

  it('have distinct answers that can be replayed as tool calls', () => {
    for (const task of ALL_TASKS) {
      const base = toBase(task)
      const solutions: Solution[] = [task.gold, task.opposite, ...task.spoiled]
      const trees = solutions.map(({ steps, ending }) => {
        const tree = applySteps(base, steps)
        expect(buildReplay(base, tree, ending).at(-1)?.at(-1)?.name, task.id).toBe('finish')
        return JSON.stringify([...tree].sort().concat([[JSON.stringify(ending), '']]))
      })
      expect(new Set(trees).size, task.id).toBe(solutions.length)
    }
  })

  it('have graders that detect every mistake without running the product', () => {
    for (const task of ALL_TASKS) {
      const base = toBase(task)
      const gold = applySteps(base, task.gold.steps)
      const grade = ({ steps, ending }: Solution) => {
        const { outcome, title = '', body = '', reason = '', evidence = [] } = ending
        const after = outcome === 'changed' ? applySteps(base, steps) : base
        const attempt = { outcome, code: null, title, body, reason, after, evidence, problems: [] }
        return gradeAttempt(task.graders, attempt, { base, gold, sources: readSourceTrees(task) })
      }
      expect(grade(task.gold), task.id).toEqual([])
      expect(grade(task.opposite), task.id).not.toEqual([])
      for (const wrong of task.spoiled) expect(grade(wrong), `${task.id}: ${wrong.how}`).not.toEqual([])
    }
  })
})
