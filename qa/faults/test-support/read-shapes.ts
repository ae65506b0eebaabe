import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** A response of a model service, as a file in `qa/faults/shapes` describes it. */
export interface Shape {
  /** Name of the file. */
  readonly id: string
  readonly service: string
  readonly title: string
  /** Headers and body of the response. */
  readonly status: number
  readonly type: string | null
  readonly body: string
  /** True if every call receives the response. Otherwise only the first call does. */
  readonly isPermanent: boolean
  /** Failure code of the job, or null if it completes. */
  readonly code: string | null
  /** Words of the failure message. */
  readonly message: string
  /** Number of model calls of the job. */
  readonly calls: number
  /** Tokens that the job has to count at least. */
  readonly tokens: number
}

const FOLDER = path.resolve(import.meta.dirname, '../shapes')

/** Reads the files: fields as `name: value`, then a line with `---`, then the body of the response. */
export function readShapes(): Shape[] {
  return readdirSync(FOLDER)
    .sort()
    .map((file) => toShape(path.parse(file).name, readFileSync(path.join(FOLDER, file), 'utf8')))
}

function toShape(id: string, text: string): Shape {
  const [head = '', body = ''] = text.split(/^---\n/m, 2)
  const fields = new Map(
    head
      .trim()
      .split('\n')
      .map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const get = (name: string) => {
    const value = fields.get(name)
    if (value === undefined) throw new Error(`${id} has no field ${name}.`)
    return value
  }
  const job = get('job')
  const type = fields.get('type') ?? 'text/event-stream'
  return {
    id,
    service: get('service'),
    title: get('title'),
    status: Number(fields.get('status') ?? 200),
    type: type === 'none' ? null : type,
    body,
    isPermanent: fields.get('times') === 'always',
    code: job === 'completed' ? null : job,
    message: fields.get('message') ?? '',
    calls: Number(get('calls')),
    tokens: Number(fields.get('tokens') ?? 0),
  }
}
