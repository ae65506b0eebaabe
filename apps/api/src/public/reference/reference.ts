import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { once } from '@corrigenda/core/base'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { JSON_TYPE } from '../../http/errors.ts'
import { withoutDatabase } from '../../http/guard-database.ts'
import { COLOR_SCHEME_JS, ICON_SVG, INDEX_HTML, PAGE_CSS, START_JS } from './pages.ts'

/** Allows neither external nor inline resources. Swagger UI uses data: URLs for its icons. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const HTML = 'text/html; charset=utf-8'
const CSS = 'text/css; charset=utf-8'
const JS = 'text/javascript; charset=utf-8'

/** `/openapi.json`, and the interactive page `/reference`. Neither loads external resources. */
export const referenceRoutes: FastifyPluginAsync<{
  /** Builds the OpenAPI document. */
  buildDocument: () => Promise<object>
}> = async (app, { buildDocument }) => {
  withoutDatabase(app)
  const getDocument = once(async () => JSON.stringify(await buildDocument()))
  app.get(
    '/openapi.json',
    {
      schema: {
        operationId: 'getOpenApi',
        tags: ['Service'],
        summary: 'Read the OpenAPI document',
        description: 'Returns this document: OpenAPI 3.1, generated from the schemas that validate the requests.',
        scope: null,
        answers: { 200: { description: 'The document.', schema: z.record(z.string(), z.unknown()) } },
      },
    },
    async (_request, reply) => {
      // Tools on other origins can read the document, which contains no user data.
      reply.header('access-control-allow-origin', '*').header('cache-control', 'no-cache')
      return reply.type(JSON_TYPE).send(await getDocument())
    },
  )
  const files: Readonly<Record<string, [type: string, read: () => Promise<string | Buffer>]>> = {
    '/reference': [HTML, async () => INDEX_HTML],
    '/reference/icon.svg': ['image/svg+xml', async () => ICON_SVG],
    '/reference/page.css': [CSS, async () => PAGE_CSS],
    '/reference/swagger-ui.css': [CSS, () => readAsset('swagger-ui.css')],
    '/reference/color-scheme.js': [JS, async () => COLOR_SCHEME_JS],
    '/reference/swagger-ui-bundle.js': [JS, () => readAsset('swagger-ui-bundle.js')],
    '/reference/start.js': [JS, async () => START_JS],
  }
  for (const [url, [type, read]] of Object.entries(files)) {
    const getFile = once(async () => toStaticFile(type, await read()))
    app.get(url, { schema: { hide: true } }, async (request, reply) => sendFile(await getFile(), request, reply))
  }
}

interface StaticFile {
  readonly type: string
  readonly etag: string
  readonly plain: Buffer
  readonly zipped: Buffer
}

const readAsset = (name: string): Promise<Buffer> =>
  readFile(createRequire(import.meta.url).resolve(`@fastify/swagger-ui/static/${name}`))

async function toStaticFile(type: string, content: string | Buffer): Promise<StaticFile> {
  const plain = Buffer.from(content)
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
  return { type, etag, plain, zipped: await promisify(gzip)(plain) }
}

function sendFile(file: StaticFile, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply
    .header('content-security-policy', POLICY)
    .header('referrer-policy', 'no-referrer')
    .header('cache-control', 'no-cache')
    .header('vary', 'accept-encoding')
    .header('etag', file.etag)
  if (request.headers['if-none-match']?.includes(file.etag)) return reply.code(304).send()
  reply.type(file.type)
  return /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
    ? reply.header('content-encoding', 'gzip').send(file.zipped)
    : reply.send(file.plain)
}
