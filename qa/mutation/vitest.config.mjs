import base from '../../vitest.config.ts'
import { getTests } from './config.ts'

/**
 * Stryker starts a run for each mutant and reads the results itself. Without isolation the worker
 * keeps its modules from one run to the next, so a mutant of a module's constants has no effect.
 * The tests are set here because Stryker's own `testFiles` activates such mutants too late.
 */
export default {
  ...base,
  test: { ...base.test, include: getTests(), isolate: true, maxWorkers: 1, reporters: [] },
}
