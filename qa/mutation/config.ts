const TESTS = 'MUTATION_TESTS'

/** Passes the run's tests to the test runner, which is a child process. */
export const setTests = (tests: readonly string[]): void => {
  process.env[TESTS] = tests.join(',')
}

/** Returns the paths of this run's tests, relative to the repository root. */
export const getTests = (): string[] => {
  const tests = process.env[TESTS]
  if (!tests) throw new Error(`${TESTS} is not set. Run "pnpm qa mutation", which sets it.`)
  return tests.split(',')
}
