import type { FailureCode } from '@corrigenda/contracts'
import { AGENT_CODES } from './agent-codes.ts'
import type { CodeTexts } from './code-texts.ts'
import { HOST_CODES } from './host-codes.ts'
import { REPOSITORY_CODES } from './repository-codes.ts'

/** Explanations of all failure codes. A code without an explanation is a compile error. */
export const FAILURE_CODE_TEXTS: Readonly<Record<FailureCode, CodeTexts>> = {
  ...AGENT_CODES,
  ...HOST_CODES,
  ...REPOSITORY_CODES,
}
