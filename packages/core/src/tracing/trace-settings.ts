import type { Agent } from 'node:http'
import { z } from 'zod'
import type { Log } from '../runtime/open-log.ts'

/** The receiver of traces. */
export interface TraceSettings {
  /** URL without the path of the signal, such as http://collector:4318. */
  readonly endpoint: string
  /** Sent with every request. Can contain credentials. */
  readonly headers: Readonly<Record<string, string>>
}

export interface TracerOptions {
  /** `service.name` and `service.version` of the resource. */
  readonly name: string
  readonly version: string
  readonly log: Log
  /** Returns the agent for the connections to the receiver. */
  readonly toAgent?: (protocol: string) => Agent
}

/** Base URL of an OTLP receiver, for the protocol `http/json`. */
const otlpEndpoint = z
  .url({ protocol: /^https?$/, error: 'must be a URL such as http://collector.example.com:4318' })
  .transform((text) => text.replace(/\/+$/, ''))

/** Headers as `name=value` separated by commas. Values are percent-encoded. */
export const otlpHeaders = z.string().transform((text, context) => {
  const headers: Record<string, string> = {}
  for (const entry of text.split(',').filter((part) => part.trim() !== '')) {
    const [, name, value] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*((?:[^%]|%[\da-f]{2})*?)\s*$/i.exec(entry) ?? []
    if (name !== undefined && value !== undefined) headers[name] = decodeURIComponent(value)
    else context.addIssue('must be name=value entries separated by commas')
  }
  return headers
})

/** Settings of the API and of the workers. */
export const traceSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: otlpEndpoint.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: otlpHeaders.optional(),
}

/** Returns the receiver, or null if traces are off. */
export function toTraceSettings(settings: {
  OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined
  OTEL_EXPORTER_OTLP_HEADERS?: Readonly<Record<string, string>> | undefined
}): TraceSettings | null {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers = {} } = settings
  return endpoint === undefined ? null : { endpoint, headers }
}
