/** The values of attributes. They must not contain prompts, contents of files, or secrets. */
export type Attributes = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

export interface SpanInput {
  readonly kind?: 'server' | 'client' | 'producer' | 'consumer'
  readonly attributes?: Attributes
}

/** The start of a trace, or of its part in this process. */
export interface RootInput extends SpanInput {
  /** Header `traceparent` (W3C Trace Context) of the span that caused this one. */
  readonly parent: string | null
  /** `traceparent` of spans of other traces. */
  readonly links?: readonly string[]
}

/** A span in progress. */
export interface Span {
  readonly traceId: string
  /** Value of the header `traceparent` for work that this span causes. */
  readonly traceparent: string
  startChild(name: string, input?: SpanInput): Span
  set(attributes: Attributes): void
  /** @param type a code without details, because messages can contain content */
  fail(type: string): void
  end(): void
}

/** Starts the spans of one service. */
export interface Tracer {
  start(name: string, input: RootInput): Span
  /** Sends the spans that have ended. Waits for a short time only. */
  close(): Promise<void>
}

const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/

/** Returns the parts of a `traceparent`, or null if it is invalid (W3C Trace Context, 3.2). */
export function parseTraceparent(
  text: string | null | undefined,
): { readonly traceId: string; readonly spanId: string; readonly traceFlags: number } | null {
  const [, traceId, spanId, flags = '0'] = TRACEPARENT.exec(text ?? '') ?? []
  if (traceId === undefined || spanId === undefined) return null
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1 }
}
