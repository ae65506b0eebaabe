import type { RunPolicyFile } from '@corrigenda/contracts'
import { cleanInstructions } from './clean-instructions.ts'
import type { InstructionFile } from './read-instructions.ts'

/**
 * Converts the repository's policy file to an instruction file for the agent. The result contains
 * the policy's instructions and path rules, so that the agent does not attempt disallowed changes.
 * If several files are given, uses the last one.
 */
export function toPolicyInstructions(files: readonly RunPolicyFile[]): InstructionFile[] {
  const file = files.at(-1)
  if (file === undefined) return []
  const { readable, writable, forbidden, instructions = '' } = file.policy
  const text = [
    ...(readable === undefined ? [] : [`Read only these paths: ${cleanInstructions(readable.join(', '))}`]),
    ...(writable === undefined ? [] : [`Change only these paths: ${cleanInstructions(writable.join(', '))}`]),
    ...(forbidden === undefined || forbidden.length === 0
      ? []
      : [`Never change: ${cleanInstructions(forbidden.join(', '))}`]),
    cleanInstructions(instructions),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
  return text === '' ? [] : [{ path: file.path, text, truncated: false }]
}
