import type { FastifyRequest } from 'fastify'

/**
 * Returns true if the request reads the database only with statements that it shares with others: a
 * request with a key on a route with `database: 'shared'`. Sessions and searches have their own
 * statements.
 */
export const isSharedRead = ({ routeOptions, headers, query }: FastifyRequest): boolean =>
  routeOptions.config.database === 'shared' && headers.authorization !== undefined && !isSearch({ query })

/** All search endpoints have the query parameter `q`. */
export const isSearch = ({ query }: Pick<FastifyRequest, 'query'>): boolean => Boolean((query as { q?: unknown }).q)
