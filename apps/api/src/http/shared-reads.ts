import type { FastifyRequest } from 'fastify'

/**
 * Returns true if the request reads the database only with statements that it shares with others:
 * a request with a key on a route with `database: 'shared'`. Sessions have their own statements.
 */
export const isSharedRead = ({ routeOptions, headers }: FastifyRequest): boolean =>
  routeOptions.config.database === 'shared' && headers.authorization !== undefined
