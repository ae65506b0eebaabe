import { createContext, type ReactNode, useCallback, useContext, useState } from 'react'

const AnnounceContext = createContext<(text: string) => void>(() => {})

/** Says something to people who listen to the page. There is one polite live region, and this is the way to it. */
export const useAnnounce = () => useContext(AnnounceContext)

export function Announcer({ children }: { children: ReactNode }) {
  const [spoken, setSpoken] = useState({ text: '', turn: 0 })
  const announce = useCallback((text: string) => setSpoken(({ turn }) => ({ text, turn: turn + 1 })), [])
  return (
    <AnnounceContext value={announce}>
      {children}
      <div className="sr-only" aria-live="polite" aria-atomic="true" data-testid="announcer">
        {/* The same sentence twice is two sentences. */}
        <span key={spoken.turn}>{spoken.text}</span>
      </div>
    </AnnounceContext>
  )
}
