/** Downloads text as a file. */
export function saveText(name: string, text: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // By then, the browser has started to read the blob.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
