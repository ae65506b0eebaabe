import {
  type Context,
  type Span as OtelSpan,
  type Tracer as OtelTracer,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base'
import { parseTraceparent, type RootInput, type Span, type SpanInput, type Tracer } from './span.ts'
import type { TracerOptions, TraceSettings } from './trace-settings.ts'

/** Maximum time of a request to the receiver, in milliseconds. */
const EXPORT_MS = 5_000
/** Maximum time for which closing a service waits for the receiver, in milliseconds. */
const CLOSE_MS = 2_000
const WARN_EVERY_MS = 60_000

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
}

/** Builds a tracer. See `openTracer`. */
export function buildTracer(settings: TraceSettings, options: TracerOptions): Tracer {
  const exporter = new OTLPTraceExporter({
    url: `${settings.endpoint}/v1/traces`,
    headers: { ...settings.headers },
    timeoutMillis: EXPORT_MS,
    ...(options.toAgent ? { httpAgentOptions: options.toAgent } : {}),
  })
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': options.name, 'service.version': options.version }),
    // A receiver that is slow or away costs a bounded number of spans, and no time.
    spanProcessors: [
      new BatchSpanProcessor(reportFailures(exporter, options), {
        maxQueueSize: 4096,
        scheduledDelayMillis: 2_000,
        exportTimeoutMillis: EXPORT_MS,
      }),
    ],
  })
  const tracer = provider.getTracer('corrigenda', options.version)
  return {
    start(name, input) {
      const context = toContext(input)
      return toSpan(tracer, context, tracer.startSpan(name, toOptions(input, input.links), context))
    },
    async close() {
      const stopped = provider.shutdown().catch(() => {})
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, CLOSE_MS)
      })
      await Promise.race([stopped, late])
      clearTimeout(timer)
    },
  }
}

function toContext({ parent }: RootInput): Context {
  const found = parseTraceparent(parent)
  return found === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...found, isRemote: true })
}

function toOptions({ kind, attributes = {} }: SpanInput, links: readonly string[] = []) {
  return {
    kind: kind === undefined ? SpanKind.INTERNAL : KINDS[kind],
    attributes: toPlain(attributes),
    links: links.flatMap((link) => {
      const context = parseTraceparent(link)
      return context === null ? [] : [{ context }]
    }),
  }
}

function toSpan(tracer: OtelTracer, outer: Context, span: OtelSpan): Span {
  const { traceId, spanId, traceFlags } = span.spanContext()
  const context = trace.setSpan(outer, span)
  return {
    traceId,
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
    startChild: (name, input = {}) => toSpan(tracer, context, tracer.startSpan(name, toOptions(input), context)),
    set: (attributes) => void span.setAttributes(toPlain(attributes)),
    fail(type) {
      span.setAttribute('error.type', type)
      span.setStatus({ code: SpanStatusCode.ERROR })
    },
    end: () => span.end(),
  }
}

const toPlain = (attributes: NonNullable<SpanInput['attributes']>) =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name, typeof value === 'object' ? [...value] : value]),
  )

/** Logs that spans were lost, at most once a minute. */
function reportFailures(exporter: OTLPTraceExporter, { log }: TracerOptions): SpanExporter {
  let last = Number.NEGATIVE_INFINITY
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.code !== 0 && performance.now() - last > WARN_EVERY_MS) {
          last = performance.now()
          log.warn({ spans: spans.length, reason: result.error?.message }, 'traces could not be sent')
        }
        done(result)
      })
    },
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  }
}
