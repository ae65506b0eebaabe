import type { FastifyRequest } from 'fastify'

const PROBES: ReadonlySet<string | undefined> = new Set(['/healthz', '/readyz'])

/** Returns true for a health check, which orchestrators send every few seconds. */
export const isProbe = ({ routeOptions }: FastifyRequest): boolean => PROBES.has(routeOptions.url)
