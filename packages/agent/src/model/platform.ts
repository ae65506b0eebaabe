import { ModelError } from './model-error.ts'

/**
 * Claude on Amazon Bedrock. If no credentials are set here, the AWS libraries use their default
 * credentials (instance role or profile).
 */
export interface BedrockPlatform {
  readonly kind: 'bedrock'
  readonly region: string
  /** Null selects the region's public endpoint. */
  readonly baseUrl: string | null
  /** Bedrock API key. If it is set, it is sent as a bearer token and requests are not signed. */
  readonly apiKey: string | null
  /** Static keys used to sign requests. */
  readonly keys: { readonly id: string; readonly secret: string; readonly sessionToken: string | null } | null
}

/** Claude on Google Vertex AI. The Google libraries use their application default credentials. */
export interface VertexPlatform {
  readonly kind: 'vertex'
  /** A region, or one of `global`, `us` and `eu`. */
  readonly region: string
  /** Null selects the credentials' project. */
  readonly projectId: string | null
  /** Null selects the region's public endpoint. */
  readonly baseUrl: string | null
}

export type Platform = BedrockPlatform | VertexPlatform

/**
 * Optional packages that are installed only where they are used, in the versions that this release
 * was tested with.
 */
const PLATFORM_PACKAGES: Readonly<Record<Platform['kind'], string>> = {
  bedrock: '@anthropic-ai/bedrock-sdk@1.1.2',
  vertex: '@anthropic-ai/vertex-sdk@1.1.3',
}

function describeMissingPackage(kind: Platform['kind']): string {
  const name = PLATFORM_PACKAGES[kind]
  return `MODEL_PROVIDER=${kind} requires a package that is not installed. Run "npx -y pnpm@12 --filter @corrigenda/agent --save-prod add ${name}", or build an image that contains it (docs/providers.md).`
}

/**
 * Loads a platform's package, which is installed only where it is used.
 * @throws ModelError with a one-line message that names the package to install
 */
export async function loadPlatform<T>(kind: Platform['kind'], load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    if (!isMissing(error)) throw error
    throw new ModelError('model_bad_request', describeMissingPackage(kind))
  }
}

const isMissing = (error: unknown): boolean =>
  ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'].includes(String((error as { code?: unknown } | null)?.code))

/**
 * Checks that the platform's package is installed, before the first job needs it.
 * @throws ModelError with a one-line message that names the package to install
 */
export async function ensurePlatform(platform: Platform | null): Promise<void> {
  if (platform?.kind === 'bedrock') await loadPlatform('bedrock', () => import('@anthropic-ai/bedrock-sdk'))
  if (platform?.kind === 'vertex') await loadPlatform('vertex', () => import('@anthropic-ai/vertex-sdk'))
}
