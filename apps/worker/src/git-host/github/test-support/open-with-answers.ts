import { toRepositoryAddress } from '@corrigenda/contracts'
import type { GitHost } from '../../git-host.ts'
import { GitHostError } from '../../git-host-error.ts'
import { buildGitHub } from '../build-github.ts'

const REPOSITORY = toRepositoryAddress('https://git.acme.test/acme/docs')

/** Opens an adapter whose API answers every request with this response. Counts the requests. */
export function buildWithAnswers(answer: () => Response) {
  const requests: Request[] = []
  const send: typeof fetch = async (input, init) => {
    requests.push(new Request(input, init))
    return answer()
  }
  const adapter = buildGitHub({ apiUrl: null, version: '0.0.0', retryBaseMs: 1, fetch: send })
  return { adapter, requests, repository: REPOSITORY }
}

/** Opens a client whose API answers every request with this response. */
export async function openWithAnswers(answer: () => Response): Promise<{ gitHost: GitHost; requests: Request[] }> {
  const { adapter, requests, repository } = buildWithAnswers(answer)
  const credentials = adapter.buildCredentials({ kind: 'token', token: 'secret' })
  const signal = new AbortController().signal
  return { gitHost: await adapter.openGitHost({ credentials, repository, access: 'publish', signal }), requests }
}

/** Returns the error of a call that must fail. */
export async function failOf(work: Promise<unknown>): Promise<GitHostError> {
  const found = await work.then(
    (value) => `the value ${JSON.stringify(value)}`,
    (error: unknown) => error,
  )
  if (!(found instanceof GitHostError)) throw new Error(`expected a GitHostError, got ${String(found)}`)
  return found
}
