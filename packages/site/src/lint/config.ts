/** Returns the folders that are searched for programs, from the environment of the process. */
export function readProgramFolders(env: Readonly<Record<string, string | undefined>> = process.env): string[] {
  return (env.PATH ?? '').split(':').filter((folder) => folder.startsWith('/'))
}
