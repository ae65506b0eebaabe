/**
 * Claude on Amazon Bedrock. Without credentials here, the AWS libraries use their default
 * credentials (role of the machine, profile).
 */
export interface BedrockPlatform {
  readonly kind: 'bedrock'
  readonly region: string
  /** Null: the public endpoint of the region. */
  readonly baseUrl: string | null
  /** Bedrock API key, sent as a bearer token. Requests are then not signed. */
  readonly apiKey: string | null
  /** Static keys used to sign requests. */
  readonly keys: { readonly id: string; readonly secret: string; readonly sessionToken: string | null } | null
}

/** Claude on Google Vertex AI. The Google libraries use their application default credentials. */
export interface VertexPlatform {
  readonly kind: 'vertex'
  /** A region, or `global`, `us`, `eu`. */
  readonly region: string
  /** Null: the project of the credentials. */
  readonly projectId: string | null
  /** Null: the public endpoint of the region. */
  readonly baseUrl: string | null
}

export type Platform = BedrockPlatform | VertexPlatform

/**
 * Optional packages that are installed only where they are needed, in the version this release was
 * tested with.
 */
export const PLATFORM_PACKAGES: Readonly<Record<Platform['kind'], string>> = {
  bedrock: '@anthropic-ai/bedrock-sdk@1.1.2',
  vertex: '@anthropic-ai/vertex-sdk@1.1.3',
}

export function describeMissingPackage(kind: Platform['kind']): string {
  const name = PLATFORM_PACKAGES[kind]
  return `MODEL_PROVIDER=${kind} requires a package that is not installed. Run "npx -y pnpm@12 --filter @corrigenda/agent --save-prod add ${name}", or build an image that contains it (docs/providers.md).`
}
