/** Returns the absolute folders in `PATH`, which are searched for programs. */
export function readProgramFolders(env: Readonly<Record<string, string | undefined>> = process.env): string[] {
  return (env.PATH ?? '').split(':').filter((folder) => folder.startsWith('/'))
}
