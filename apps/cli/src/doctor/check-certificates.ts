import { readFile } from 'node:fs/promises'
import type { Env } from '@corrigenda/core/runtime'
import type { Finding } from './finding.ts'

const subject = 'Certificate authorities'

/** Checks the file of NODE_EXTRA_CA_CERTS, because Node.js ignores one that it cannot read. */
export async function checkCertificates({ NODE_EXTRA_CA_CERTS: file }: Env): Promise<Finding[]> {
  if (!file) return []
  try {
    if (/-----BEGIN (TRUSTED |X509 )?CERTIFICATE-----/.test(await readFile(file, 'utf8')))
      return [{ subject, state: 'ok', text: file }]
    return [{ subject, state: 'problem', text: `${file} contains no certificate in the PEM format. ${REMEDY}` }]
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return [{ subject, state: 'problem', text: `${file} cannot be read (${code}). ${REMEDY}` }]
  }
}

const REMEDY = 'Correct NODE_EXTRA_CA_CERTS. With containers, mount the file: see docs/running.md.'
