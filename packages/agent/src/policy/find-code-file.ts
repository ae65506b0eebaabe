import type { CodeKind } from '@corrigenda/contracts'
import { buildGlob } from '@corrigenda/git/text'
import { AGENT_INSTRUCTIONS, DEPENDENCY_MANIFESTS } from './default-paths.ts'

const isInstructions = buildGlob(AGENT_INSTRUCTIONS, { ignoreCase: true })
const isManifest = buildGlob(DEPENDENCY_MANIFESTS, { ignoreCase: true })

/** Returns the kind of a file that is executable content as a whole, or null. */
export function findCodeFile(path: string): CodeKind | null {
  const folded = path.normalize('NFKC')
  return isInstructions(folded) ? 'agent-instructions' : isManifest(folded) ? 'dependency-manifests' : null
}
