import { accessSync, constants } from 'node:fs'
import { z } from 'zod'

/** Values of `sslmode`. The driver verifies the server's certificate and name with the first three. */
const [VERIFIED, OTHERS] = [
  ['require', 'verify-ca', 'verify-full'],
  ['disable', 'no-verify'],
]
const FILES = ['sslrootcert', 'sslcert', 'sslkey']

/**
 * Postgres connection string. The parameters `sslmode`, `sslrootcert`, `sslcert` and `sslkey` apply
 * to every connection. The driver reads the files when it connects.
 */
export const postgresUrl = z
  .url({
    protocol: /^postgres(ql)?$/,
    error: ({ input }) =>
      `${input === undefined ? 'is required:' : 'must be'} a PostgreSQL connection string such as postgresql://user:password@host:5432/corrigenda`,
  })
  .superRefine((text, context) => {
    for (const problem of findTlsProblems(text)) context.addIssue(problem)
  })
  .transform((text) => text.replace(/([?&]sslmode=)(?:require|verify-ca)(?=&|$)/, '$1verify-full'))

function findTlsProblems(text: string): string[] {
  if (!URL.canParse(text)) return []
  const { searchParams } = new URL(text)
  const mode = searchParams.get('sslmode')
  const files = FILES.flatMap((name) => {
    const file = searchParams.get(name)
    return file === null || isReadable(file) ? [] : [`the file in ${name} cannot be read (${file})`]
  })
  if (mode !== null && ![...VERIFIED, ...OTHERS].includes(mode))
    return [...files, `sslmode must be one of ${[...VERIFIED, ...OTHERS].join(', ')}`]
  return mode === 'disable' && FILES.some((name) => searchParams.has(name))
    ? [...files, 'sslmode=disable contradicts the certificates in the URL']
    : files
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK)
    return true
  } catch {
    return false
  }
}
