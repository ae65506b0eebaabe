import { ACCESS_MUTANTS } from './access-mutants.ts'
import { CONTENT_MUTANTS } from './content-mutants.ts'
import { FOLLOW_UP_MUTANTS } from './follow-up-mutants.ts'
import { LEASE_MUTANTS } from './lease-mutants.ts'
import type { Mutant } from './mutant.ts'
import { PUBLISH_MUTANTS } from './publish-mutants.ts'

export const MUTANTS: readonly Mutant[] = [
  ...LEASE_MUTANTS,
  ...PUBLISH_MUTANTS,
  ...FOLLOW_UP_MUTANTS,
  ...ACCESS_MUTANTS,
  ...CONTENT_MUTANTS,
]
