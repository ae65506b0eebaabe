import type { GitHostOptions } from '@corrigenda/demo'
import { openTestHost as openUncheckedHost, type TestHost } from '@corrigenda/demo/test-support/open-test-host'
import { loadOpenapi } from '../openapi.ts'

/**
 * Opens the demo's test host, which validates requests and responses against GitHub's OpenAPI
 * description.
 */
export function openTestHost(options: Partial<GitHostOptions> = {}): Promise<TestHost> {
  return openUncheckedHost({ checks: loadOpenapi(), ...options })
}
