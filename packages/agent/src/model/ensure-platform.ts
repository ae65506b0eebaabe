import { loadPlatform } from './load-platform.ts'
import type { Platform } from './platform.ts'

/**
 * Checks that the platform's package is installed, before the first job needs it.
 * @throws ModelError with a one-line message that names the package to install
 */
export async function ensurePlatform(platform: Platform | null): Promise<void> {
  if (platform?.kind === 'bedrock') await loadPlatform('bedrock', () => import('@anthropic-ai/bedrock-sdk'))
  if (platform?.kind === 'vertex') await loadPlatform('vertex', () => import('@anthropic-ai/vertex-sdk'))
}
