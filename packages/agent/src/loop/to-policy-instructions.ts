import type { RunPolicyFile } from '@corrigenda/contracts'
import { cleanInstructions } from './clean-instructions.ts'
import type { InstructionFile } from './read-instructions.ts'

/**
 * What the repository's policy file says to the agent, as one more instruction file: which paths it leaves, so that nothing is tried in vain, and its
 * instructions. The newest file when there are several.
 */
export function toPolicyInstructions(files: readonly RunPolicyFile[]): InstructionFile[] {
  const file = files.at(-1)
  if (file === undefined) return []
  const { writable, forbidden, instructions = '' } = file.policy
  const text = [
    ...(writable === undefined ? [] : [`Only these paths may be changed: ${cleanInstructions(writable.join(', '))}`]),
    ...(forbidden === undefined || forbidden.length === 0
      ? []
      : [`Never changed: ${cleanInstructions(forbidden.join(', '))}`]),
    cleanInstructions(instructions),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
  return text === '' ? [] : [{ path: file.path, text, truncated: false }]
}
