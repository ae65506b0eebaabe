import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureNginx, findFreePort } from '@corrigenda/testkit'
import type { Certificates } from './make-certificates.ts'
import { startServer } from './start-server.ts'

const example = fileURLToPath(new URL('../../../deploy/nginx/corrigenda.conf', import.meta.url))

/**
 * Starts nginx with the example of the documentation. Only the addresses, the certificate and the
 * server name are replaced, as an operator does.
 * @param input.apis `host:port` of the two API processes
 */
export async function startNginx(input: { dir: string; apis: readonly [string, string]; certificates: Certificates }) {
  const { dir, apis, certificates } = input
  const home = path.join(dir, 'nginx')
  await mkdir(home)
  const port = await findFreePort()
  let server = await readFile(example, 'utf8')
  for (const [from, to] of [
    ['api-1.internal:8080', apis[0]],
    ['api-2.internal:8080', apis[1]],
    ['listen 443 ', `listen 127.0.0.1:${port} `],
    ['server_name corrigenda.example.com', 'server_name localhost'],
    ['/etc/nginx/tls/corrigenda.pem', certificates.cert],
    ['/etc/nginx/tls/corrigenda.key', certificates.key],
  ] as const) {
    if (!server.includes(from)) throw new Error(`The example does not contain ${from}`)
    server = server.replace(from, to)
  }
  await writeFile(path.join(home, 'corrigenda.conf'), server)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `  ${name}_temp_path ${path.join(home, name)};`,
  )
  const file = path.join(home, 'nginx.conf')
  await writeFile(
    file,
    `daemon off;
${process.getuid?.() === 0 ? 'user root;\n' : ''}pid ${path.join(home, 'nginx.pid')};
error_log stderr warn;
events {}
http {
  access_log ${path.join(home, 'access.log')};
${temporary.join('\n')}
  include ${path.join(home, 'corrigenda.conf')};
}
`,
  )
  const program = await ensureNginx()
  const args = ['-c', file, '-e', 'stderr']
  // With SIGKILL, the worker processes of nginx would stay.
  await startServer({ program, args, port, log: path.join(home, 'error.log'), stop: 'SIGTERM' })
  return { url: `https://localhost:${port}`, port }
}
