import { DOCS_SOURCE } from '@corrigenda/contracts'
import type { Workspace } from '@corrigenda/git/workspace'
import type { CheckDocs } from '@corrigenda/site/checks'
import { buildReadableView } from '../policy/build-readable-view.ts'
import type { PathPolicy } from '../policy/path-policy.ts'
import { type AgentSource, restrictSource } from '../sources/agent-source.ts'

/**
 * Returns what the model may see: the files that it may read, and checks of the whole repository,
 * whose findings in other files do not contain their text.
 */
export function restrictReading({
  workspace,
  checkDocs,
  policy,
  sources = [],
}: {
  readonly workspace: Workspace
  readonly checkDocs: CheckDocs
  readonly policy: PathPolicy
  readonly sources?: readonly AgentSource[]
}): { readonly workspace: Workspace; readonly checkDocs: CheckDocs; readonly sources: readonly AgentSource[] } {
  const view = buildReadableView(workspace, policy)
  if (view === workspace) return { workspace, checkDocs, sources }
  return {
    workspace: view,
    sources: sources.map((source) =>
      source.name === DOCS_SOURCE ? restrictSource(source, policy.isReadable) : source,
    ),
    async checkDocs(input) {
      const results = await checkDocs({ ...input, workspace })
      return results.map((result) => ({
        ...result,
        findings: result.findings.map((finding) =>
          policy.isReadable(finding.file) ? finding : { ...finding, line: null, message: HIDDEN },
        ),
      }))
    },
  }
}

const HIDDEN = 'There is an issue in this file, which you may not read.'
