import { readFile, rename, writeFile } from 'node:fs/promises'
import { CallError } from '../task/task-choice.ts'
import { Results } from './results.ts'

/** @throws CallError if the file contains no results */
export async function readResults(file: string): Promise<Results> {
  let value: unknown
  try {
    value = JSON.parse(await readFile(file, 'utf8'))
  } catch {
    throw new CallError(`${file} is not readable as JSON.`)
  }
  const parsed = Results.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new CallError(`${file} is not a results file: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`)
}

/** Writes atomically, so that the file is complete even if the process is interrupted. */
export async function saveResults(file: string, results: Results): Promise<void> {
  await writeFile(`${file}.part`, `${JSON.stringify(results, null, 1)}\n`)
  await rename(`${file}.part`, file)
}
