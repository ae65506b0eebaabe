/** Downloads text as a file. */
export function saveText(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // After a minute, the browser will certainly have started to read the blob.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
