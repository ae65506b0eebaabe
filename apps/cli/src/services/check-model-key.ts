import { AppError } from '@corrigenda/core/base'
import type { Env } from '@corrigenda/core/runtime'

const TIMEOUT_MS = 10_000

/**
 * Checks an API key with a request that costs nothing.
 * @throws AppError `invalid_request` if the model API rejects the key or cannot be reached
 */
export async function checkModelKey({ ANTHROPIC_API_KEY: key = '', ANTHROPIC_BASE_URL: base }: Env): Promise<void> {
  const url = `${(base ?? 'https://api.anthropic.com').replace(/\/+$/, '')}/v1/models?limit=1`
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${key}`, 'anthropic-version': '2023-06-01' },
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: Error) => {
    const cause = error.cause as NodeJS.ErrnoException | undefined
    const reason = cause?.code ?? cause?.message ?? error.name
    throw new AppError(
      'invalid_request',
      `The model API at ${new URL(url).host} cannot be reached (${reason}). Check ANTHROPIC_BASE_URL, HTTPS_PROXY, and the network, and restart the service after changing a setting.`,
    )
  })
  await response.body?.cancel()
  if (response.status === 401 || response.status === 403) {
    throw new AppError('invalid_request', `The model API rejected the key (status ${response.status}). Check the key.`)
  }
}
