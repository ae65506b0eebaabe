import { type ReactNode, useEffect } from 'react'
import { Wordmark } from '../../shell/wordmark.tsx'
import './front-page.css'

/** The layout of pages for signed-out users. `title` is the document title. */
export function FrontPage({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Corrigenda`
  }, [title])
  return (
    <main className="front-page stack gap-5">
      <Wordmark />
      <div className="front-page-panel panel">{children}</div>
    </main>
  )
}
