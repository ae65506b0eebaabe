import { findConfigViolation } from '@corrigenda/site/edit'
import { type MovePlan, readStringTest } from '@corrigenda/site/move'
import type { ToolContext } from './tool.ts'

/**
 * Plans a change to several files. If the plan changes more than the navigation of a guarded file,
 * plans again without that file, so that the plan lists the references in it.
 * @param plan plans the change; `explain` returns the reason why a file cannot be written, or null
 */
export async function planGuarded<Plan extends Pick<MovePlan, 'writes'> & Partial<Pick<MovePlan, 'after'>>>(
  { workspace, policy }: Pick<ToolContext, 'workspace' | 'policy'>,
  plan: (explain: (path: string) => string | null) => Promise<Plan>,
): Promise<Plan> {
  const reasons = new Map<string, string>()
  for (;;) {
    const planned = await plan((path) => reasons.get(path) ?? policy.explain(path, 'write'))
    const { size } = reasons
    for (const [path, bytes] of planned.writes) {
      const why = policy.isGuarded(path) ? await explainGuarded(workspace, path, bytes, planned.after) : null
      if (why !== null) reasons.set(path, why)
    }
    if (reasons.size === size) return planned
  }
}

/**
 * Returns the reason why a guarded file cannot have this content, or null if it can.
 * @param after the sites after the plan that writes the file; by default, the current ones
 */
export async function explainGuarded(
  workspace: ToolContext['workspace'],
  path: string,
  bytes: Uint8Array,
  after?: MovePlan['after'],
): Promise<string | null> {
  const base = await workspace.readBase(path)
  let why = base === null ? 'it is new' : findConfigViolation(path, base, bytes)
  if (base !== null && why !== null) {
    const accepts = await readStringTest(workspace, after)
    why = findConfigViolation(path, base, bytes, accepts(path))
  }
  return why === null
    ? null
    : `Only the navigation, the redirects, and the addresses and paths of pages in ${path} can be changed: ${why}.`
}
