import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']

export interface Certificates {
  /** File with the certificate of the authority. */
  readonly ca: string
  /** Files with a certificate for `localhost` and 127.0.0.1, and its key. */
  readonly cert: string
  readonly key: string
}

/** Makes a certificate authority and a certificate that it signs, with OpenSSL. */
export async function makeCertificates(dir: string, name: string): Promise<Certificates> {
  const file = (suffix: string) => path.join(dir, `${name}-${suffix}`)
  const [ca, caKey, cert, key] = [file('ca.pem'), file('ca.key'), file('server.pem'), file('server.key')]
  await run('openssl', ['req', '-x509', ...KEY, '-subj', `/CN=${name}`, '-keyout', caKey, '-out', ca])
  const names = 'subjectAltName=DNS:localhost,IP:127.0.0.1'
  const signed = ['-CA', ca, '-CAkey', caKey, '-addext', names, '-addext', 'basicConstraints=CA:FALSE']
  await run('openssl', ['req', '-x509', ...KEY, ...signed, '-subj', '/CN=server', '-keyout', key, '-out', cert])
  return { ca, cert, key }
}
