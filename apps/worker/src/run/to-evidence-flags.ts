import { DOCS_SOURCE, type RunSource } from '@corrigenda/contracts'
import type { ChangeResult } from './to-run-ending.ts'

/**
 * Asks for a review of a change that may contain facts from sources, but has no evidence from them.
 * Lines of the documentation repository itself support no facts from other sources.
 */
export const toEvidenceFlags = ({ evidence, sourcesRead }: Pick<ChangeResult, 'evidence' | 'sourcesRead'>): string[] =>
  sourcesRead.length === 0 || evidence.some(({ source }) => source !== DOCS_SOURCE)
    ? []
    : ['The agent read source code, but gave no evidence for this change. Verify its facts.']

/** Names the sources that were read at a commit that may be from a fork, as their `cite` mode allows. */
export const toSourceFlags = (sources: readonly RunSource[]): string[] =>
  sources.flatMap(({ name, note, cite }) => {
    if (note === undefined) return []
    return cite === 'none' ? 'The job has a note on the commit of a source.' : `Source ${name}: ${note}`
  })
