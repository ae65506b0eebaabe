import { spawn } from 'node:child_process'
import http from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A Git host for measurements: `git http-backend` behind a CGI bridge. Runs in a separate process
 * so that it does not share an event loop with the measured code. Takes the root
 * directory as its argument and sends its port to the parent process.
 */
const root = process.argv[2] ?? ''

const server = http.createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks)
  const [path = '', query = ''] = (request.url ?? '').split('?')
  const variables = {
    GIT_PROJECT_ROOT: root,
    GIT_HTTP_EXPORT_ALL: '1',
    PATH_INFO: decodeURIComponent(path),
    QUERY_STRING: query,
    REQUEST_METHOD: request.method ?? 'GET',
    CONTENT_TYPE: request.headers['content-type'] ?? '',
    CONTENT_LENGTH: String(body.length),
    GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    HTTP_CONTENT_ENCODING: String(request.headers['content-encoding'] ?? ''),
    REMOTE_USER: 'bench',
  }
  const assignments = Object.entries(variables).map(([name, value]) => `${name}=${value}`)
  const child = spawn('env', [...assignments, 'git', 'http-backend'], { stdio: ['pipe', 'pipe', 'ignore'] })
  child.stdin.on('error', () => undefined)
  child.stdin.end(body)
  const output: Buffer[] = []
  for await (const chunk of child.stdout) output.push(chunk as Buffer)
  const reply = Buffer.concat(output)
  const split = reply.indexOf('\r\n\r\n')
  let status = 200
  for (const line of reply.toString('latin1', 0, split).split('\r\n')) {
    const at = line.indexOf(':')
    const value = line.slice(at + 1).trim()
    if (line.slice(0, at).toLowerCase() === 'status') status = Number.parseInt(value, 10)
    else response.setHeader(line.slice(0, at), value)
  }
  response.writeHead(status).end(reply.subarray(split + 4))
})

server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.once('disconnect', () => process.exit(0))
