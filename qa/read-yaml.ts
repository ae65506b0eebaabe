import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'

/** The folder `qa`, also for compiled code. The data files are next to the source files only. */
export const QA_FOLDER = path.dirname(createRequire(import.meta.url).resolve('@corrigenda/qa/package.json'))

/** Thrown for an invalid call or file. The message states how to correct it. */
export class CallError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'CallError'
  }
}

/**
 * Reads a YAML file, which may also be JSON.
 * @throws CallError with the file, the field and the expected value
 */
export function readYaml<S extends z.ZodType>(file: string, schema: S): z.output<S> {
  let value: unknown
  try {
    value = parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new CallError(`${file} is not readable as YAML: ${error instanceof Error ? error.message : error}`)
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new CallError(`${file} is invalid. Correct these fields:\n${z.prettifyError(parsed.error)}`)
}
