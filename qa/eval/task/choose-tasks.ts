import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { buildMatcher } from './match-glob.ts'
import type { Task } from './task.ts'
import { CallError, type TaskChoice } from './task-choice.ts'
import { TaskFile, toTasks } from './task-schema.ts'

/**
 * Returns the tasks that a call selects.
 * @throws CallError if no task matches or the task file is invalid
 */
export async function chooseTasks(all: readonly Task[], choice: TaskChoice): Promise<readonly Task[]> {
  const { glob, family, split, file } = choice
  const tasks = file === null ? all : await readTasks(file)
  const matches = glob === null ? () => true : buildMatcher(glob)
  const chosen = tasks.filter(
    (task) =>
      matches(task.id) && (family === null || task.family === family) && (split === null || task.split === split),
  )
  if (chosen.length === 0) throw new CallError('No task matches. List all tasks with pnpm qa eval --list.')
  return chosen
}

async function readTasks(file: string): Promise<Task[]> {
  let value: unknown
  try {
    value = JSON.parse(await readFile(file, 'utf8'))
  } catch {
    throw new CallError(`${file} is not readable as JSON.`)
  }
  const parsed = TaskFile.safeParse(value)
  if (!parsed.success) throw new CallError(`${file} is not a task file:\n${z.prettifyError(parsed.error)}`)
  return toTasks(parsed.data)
}
