import type { GitHostOptions } from '@corrigenda/demo'
import { openTestHost as openUncheckedHost, type TestHost } from '@corrigenda/demo/test-support/open-test-host'
import { loadOpenapi } from '../openapi.ts'

/** Opens the demo's test host with checks from GitHub's API description. */
export function openTestHost(options: Partial<GitHostOptions> = {}): Promise<TestHost> {
  return openUncheckedHost({ checks: loadOpenapi(), ...options })
}
