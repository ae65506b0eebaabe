/** Folders in which programs are looked for, as the process was given them. */
export function readProgramFolders(env: Readonly<Record<string, string | undefined>> = process.env): string[] {
  return (env.PATH ?? '').split(':').filter((folder) => folder.startsWith('/'))
}
