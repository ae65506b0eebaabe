export { openTracer } from './open-tracer.ts'
export { type Attributes, parseTraceparent, type Span, type Tracer } from './span.ts'
export { type TraceSettings, toTraceSettings, traceSettings } from './trace-settings.ts'
export { enterSpan, findSpan, runInSpan, toErrorType, withSpan } from './with-span.ts'
