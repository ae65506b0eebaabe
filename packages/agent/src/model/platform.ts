/** Claude on Amazon Bedrock. Absent credentials: those that the AWS libraries find (role of the machine, profile). */
export interface BedrockPlatform {
  readonly kind: 'bedrock'
  readonly region: string
  /** Null: the public endpoint of the region. */
  readonly baseUrl: string | null
  /** A Bedrock API key, sent as a bearer token; then nothing is signed. */
  readonly apiKey: string | null
  /** Static keys that requests are signed with. */
  readonly keys: { readonly id: string; readonly secret: string; readonly sessionToken: string | null } | null
}

/** Claude on Google Vertex AI. Credentials are the application default ones of the Google libraries. */
export interface VertexPlatform {
  readonly kind: 'vertex'
  /** A region, or `global`, `us`, `eu`. */
  readonly region: string
  /** Null: the one of the credentials. */
  readonly projectId: string | null
  /** Null: the public endpoint of the region. */
  readonly baseUrl: string | null
}

export type Platform = BedrockPlatform | VertexPlatform

/** The packages that are installed only where they are needed, in the version that this one was tested with. */
export const PLATFORM_PACKAGES: Readonly<Record<Platform['kind'], string>> = {
  bedrock: '@anthropic-ai/bedrock-sdk@1.1.2',
  vertex: '@anthropic-ai/vertex-sdk@1.1.3',
}

export function describeMissingPackage(kind: Platform['kind']): string {
  const name = PLATFORM_PACKAGES[kind]
  return `MODEL_PROVIDER=${kind} needs a package that is not installed: run "npx -y pnpm@12 --filter @corrigenda/agent --save-prod add ${name}", or build the image with it (docs/providers.md).`
}
