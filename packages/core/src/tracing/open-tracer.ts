import type { Tracer } from './span.ts'
import type { TracerOptions, TraceSettings } from './trace-settings.ts'

/**
 * Opens a tracer that sends spans to an OTLP receiver. The libraries are loaded only here.
 * @returns null if traces are off
 */
export async function openTracer(settings: TraceSettings | null, options: TracerOptions): Promise<Tracer | null> {
  if (settings === null) return null
  const { buildTracer } = await import('./build-tracer.ts')
  return buildTracer(settings, options)
}
