import { AsyncLocalStorage } from 'node:async_hooks'
import type { Span, SpanInput } from './span.ts'

const storage = new AsyncLocalStorage<Span>()

/** Runs work in the context of a span, so that the work's spans become its children. */
export const enterSpan = <T>(span: Span, work: () => T): T => storage.run(span, work)

/** Returns the active span. Null outside a span and if tracing is off. */
export const findSpan = (): Span | null => storage.getStore() ?? null

/**
 * Runs work in a new span below the current one. Without a current span, only runs the work.
 * @param work receives the span, or null
 */
export async function withSpan<T>(name: string, input: SpanInput, work: (span: Span | null) => Promise<T>): Promise<T> {
  const parent = storage.getStore()
  if (parent === undefined) return work(null)
  return runInSpan(parent.startChild(name, input), work)
}

/** Runs work in a span, and ends the span with the work. */
export async function runInSpan<T>(span: Span, work: (span: Span) => Promise<T>): Promise<T> {
  try {
    return await storage.run(span, () => work(span))
  } catch (error) {
    span.fail(toErrorType(error))
    throw error
  } finally {
    span.end()
  }
}

/** Returns the code or the class of an error. */
export function toErrorType(error: unknown): string {
  const { code, name } = Object(error) as { code?: unknown; name?: unknown }
  const found = typeof code === 'string' ? code : name
  return typeof found === 'string' ? found.slice(0, 60) : 'error'
}
