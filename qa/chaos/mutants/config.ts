/** The environment of this process, handed on to the tests it runs. */
export const readEnvironment = (): Readonly<Record<string, string | undefined>> => process.env
