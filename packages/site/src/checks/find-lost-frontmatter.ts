import type { WorkspaceChange } from '@corrigenda/git/workspace'
import { decodeText } from '@corrigenda/git/workspace'
import type { Problem } from '../pages/problem.ts'
import { splitFrontmatter } from '../pages/split-frontmatter.ts'

/**
 * Detects a page that lost its front matter because a line was inserted before it or its opening
 * fence was deleted. The site then displays the keys as text.
 */
export function findLostFrontmatter(change: WorkspaceChange): Problem[] {
  const before = split(change.before)
  const after = split(change.after)
  if (before?.yaml == null || before.yaml.trim() === '' || after === null) return []
  if (after.yaml !== null || after.unclosed) return []
  // If the front matter was removed on purpose, its keys are gone. If it was lost by accident, they
  // are still near the top.
  const top = after.body.split('\n', before.lines + 20)
  if (!before.yaml.split('\n').some((line) => /^[\w-]+:/.test(line) && top.includes(line))) return []
  const message = 'The page has lost its front matter. The front matter must start with "---" on line 1.'
  return [{ check: 'frontmatter', code: 'frontmatter_lost', path: change.path, line: 1, subject: '', message }]
}

function split(bytes: Uint8Array | null) {
  const file = bytes === null ? 'binary' : decodeText(bytes)
  return typeof file === 'string' ? null : splitFrontmatter(file.text)
}
