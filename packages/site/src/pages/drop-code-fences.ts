/** Removes fenced code. Content that is included in code does not create headings. */
export function dropCodeFences(text: string): string {
  let codeFence: string | null = null
  return text
    .split('\n')
    .filter((line) => {
      const mark = /^[ \t]{0,20}(`{3,20}|~{3,20})/.exec(line)?.[1]
      if (mark === undefined) return codeFence === null
      if (codeFence === null) codeFence = mark
      else if (mark.startsWith(codeFence)) codeFence = null
      return false
    })
    .join('\n')
}
