/** Removes the escapes that Prettier writes into the paths of imports. */
export function dropEscapes(path: string): string {
  return path.replace(/\\(?=\W|_)/g, '')
}
