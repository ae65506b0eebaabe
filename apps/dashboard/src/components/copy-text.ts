/**
 * Copies text to the clipboard, with a fallback for plain http on a remote host, where the
 * clipboard API is unavailable. Returns true if it succeeded.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea')
  area.value = text
  area.readOnly = true
  area.className = 'sr-only'
  // If a dialog is open, the element must be inside it, because the dialog traps focus.
  const focused = document.activeElement
  const host = focused?.closest('[role="dialog"]') ?? document.body
  host.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return isCopied
}
