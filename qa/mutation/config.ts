const TESTS = 'MUTATION_TESTS'

/** Passes the tests of a run to the test runner, a child process. */
export const setTests = (tests: readonly string[]): void => {
  process.env[TESTS] = tests.join(',')
}

/** Returns the tests of this run, relative to the root of the repository. */
export const getTests = (): string[] => {
  const tests = process.env[TESTS]
  if (!tests) throw new Error(`${TESTS} is not set. Use this configuration through "pnpm qa mutation".`)
  return tests.split(',')
}
