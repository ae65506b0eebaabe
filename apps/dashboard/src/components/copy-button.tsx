import { useState } from 'react'
import { useAnnounce } from './announcer.tsx'
import { Button } from './button.tsx'
import { copyText } from './copy-text.ts'

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
