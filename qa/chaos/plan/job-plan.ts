import { type ScriptItem, type ScriptTurn, scriptPrompt } from '@corrigenda/testkit'
import { toMarker, toPath } from './build-pages.ts'
import type { Random } from './random.ts'

/** A planned job and its expected result. */
export interface JobPlan {
  /**
   * Unique within the run. Used as the Idempotency-Key and as the script id, which labels the
   * job's model requests.
   */
  readonly name: string
  readonly prompt: string
  /** Index of the job's project. */
  readonly project: number
  /** Files that the job's commit changes, with their resulting text. */
  readonly files: ReadonlyMap<string, string>
  /** Number of model responses: one per script turn, one that finishes, and one that confirms. */
  readonly turns: number
  /** Delay in ms between acceptance and cancellation. Null if the job is not cancelled. */
  readonly cancelAfterMs: number | null
}

interface JobPlanInput {
  readonly name: string
  readonly project: number
  readonly pages: ReadonlyMap<string, string>
  readonly turns: { readonly min: number; readonly max: number }
  /** Duration of one model turn, in ms. */
  readonly delayMs: { readonly min: number; readonly max: number }
  /** Share of turns whose first response is faulty. */
  readonly faultShare?: number
  readonly cancelAfterMs?: number | null
}

/**
 * Builds a prompt with a script that views pages, changes some and may add others. No two jobs make
 * the same change.
 */
export function buildJobPlan(random: Random, input: JobPlanInput): JobPlan {
  const { name, pages } = input
  const files = new Map<string, string>()
  const free = [...Array(pages.size - 1).keys()]
  const takePage = () => free.splice(random.int(0, free.length - 1), 1)[0] ?? 0
  const edit = (): ScriptItem => {
    const n = takePage()
    const to = `Written by ${name} on page ${n}.`
    files.set(toPath(n), (pages.get(toPath(n)) ?? '').replace(toMarker(n), to))
    return { tool: 'edit', input: { path: toPath(n), old_str: toMarker(n), new_str: to } }
  }
  const view = (): ScriptItem => ({ tool: 'view', input: { path: toPath(random.int(0, pages.size - 2)) } })
  const create = (): ScriptItem => {
    const path = `notes/${name}-${files.size}.md`
    const text = `# A note\n\nWritten by ${name}.\n`
    files.set(path, text)
    return { tool: 'create', input: { path, file_text: text } }
  }
  const count = random.int(input.turns.min, input.turns.max)
  const turns = Array.from({ length: count }, (_, index): ScriptTurn => {
    // The first turn always changes a file, so that there is a change to publish.
    const kinds = index === 0 ? [edit] : [edit, view, create]
    const items = [random.pick(kinds)(), ...(random.chance(0.3) ? [view()] : [])]
    const delay = { delay: random.int(input.delayMs.min, input.delayMs.max) }
    return [delay, ...(random.chance(input.faultShare ?? 0) ? [{ fault: pickFault(random) }] : []), ...items]
  })
  return {
    name,
    prompt: scriptPrompt(`Do what ${name} asks for.`, turns, { id: name }),
    project: input.project,
    files,
    turns: count + 2,
    cancelAfterMs: input.cancelAfterMs ?? null,
  }
}

type Fault = Extract<ScriptItem, { fault: unknown }>['fault']

const pickFault = (random: Random): Fault =>
  random.pick<Fault>([
    { kind: 'status', status: 429, headers: { 'retry-after': '1' } },
    { kind: 'status', status: 529 },
    { kind: 'status', status: 500 },
    { kind: 'reset' },
    { kind: 'cut' },
    { kind: 'sse_error' },
  ])
