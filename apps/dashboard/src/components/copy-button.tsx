import { useState } from 'react'
import { useAnnounce } from './announcer.tsx'
import { Button } from './button.tsx'

const CONFIRMED_MS = 2_000

interface CopyButtonProps {
  readonly text: string
  /** Accessible name, such as "Copy key". */
  readonly label?: string
  readonly iconOnly?: boolean
  readonly variant?: 'primary' | 'plain' | 'quiet'
  readonly onCopied?: () => void
}

export function CopyButton({ text, label = 'Copy', iconOnly = false, variant = 'plain', onCopied }: CopyButtonProps) {
  const announce = useAnnounce()
  const [done, setDone] = useState<'copied' | 'failed' | null>(null)
  const copy = async () => {
    const isCopied = await copyText(text)
    setDone(isCopied ? 'copied' : 'failed')
    announce(isCopied ? 'Copied' : 'The browser blocked copying. Select the text and copy it manually.')
    if (isCopied) onCopied?.()
    setTimeout(() => setDone(null), CONFIRMED_MS)
  }
  return (
    <Button variant={variant} icon={done === 'copied' ? 'check' : 'copy'} iconOnly={iconOnly} onClick={copy}>
      {done === 'copied' ? 'Copied' : done === 'failed' ? 'Copy failed' : label}
    </Button>
  )
}

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
