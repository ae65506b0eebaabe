import base from '../../vitest.config.ts'

/**
 * Stryker starts a run for each mutant and reads the results itself. Without isolation, modules
 * stay loaded between runs, so mutants of module-level constants have no effect. The tests are set
 * here because Stryker's `testFiles` option activates such mutants too late.
 */
const include = process.env.MUTATION_TESTS?.split(',') ?? []
export default { ...base, test: { ...base.test, include, isolate: true, maxWorkers: 1, reporters: [] } }
