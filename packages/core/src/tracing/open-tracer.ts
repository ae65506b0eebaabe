import type { Agent } from 'node:http'
import type { Log } from '../runtime/open-log.ts'
import type { Tracer } from './span.ts'
import type { TraceSettings } from './trace-settings.ts'

export interface TracerOptions {
  /** `service.name` and `service.version` of the resource. */
  readonly name: string
  readonly version: string
  readonly log: Log
  /** Returns the agent for the connections to the receiver. */
  readonly toAgent?: (protocol: string) => Agent
}

/**
 * Opens a tracer that sends spans to an OTLP receiver. The libraries are loaded only here.
 * @returns null if traces are off
 */
export async function openTracer(settings: TraceSettings | null, options: TracerOptions): Promise<Tracer | null> {
  if (settings === null) return null
  const { buildTracer } = await import('./build-tracer.ts')
  return buildTracer(settings, options)
}
