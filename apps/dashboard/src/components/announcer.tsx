import { createContext, type ReactNode, useCallback, useContext, useState } from 'react'

const AnnounceContext = createContext<(text: string) => void>(() => {})

/**
 * Returns the function that announces text to screen readers. The page has one polite live region,
 * and only this function writes to it.
 */
export const useAnnounce = () => useContext(AnnounceContext)

export function Announcer({ children }: { children: ReactNode }) {
  const [announcement, setAnnouncement] = useState({ text: '', turn: 0 })
  const announce = useCallback((text: string) => setAnnouncement(({ turn }) => ({ text, turn: turn + 1 })), [])
  return (
    <AnnounceContext value={announce}>
      {children}
      <div className="sr-only" aria-live="polite" aria-atomic="true" data-testid="announcer">
        {/* The key changes, so a repeated message is announced again. */}
        <span key={announcement.turn}>{announcement.text}</span>
      </div>
    </AnnounceContext>
  )
}
