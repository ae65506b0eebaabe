import type { JobState } from '@corrigenda/contracts'
import { useEffect, useRef } from 'react'
import { useAnnounce } from '../../components/announcer.tsx'
import { JOB_STATE_FACTS } from '../../components/job-badge.tsx'

/** Colors that are visible on light and dark tab bars. */
const COLORS: Readonly<Record<(typeof JOB_STATE_FACTS)[JobState]['tone'], string>> = {
  muted: '#808690',
  accent: '#3b82e0',
  ok: '#2f9e5f',
  bad: '#dd4b4b',
  warn: '#c08a2b',
}

/** Shows the job's state in the title and icon of the browser tab. */
export function useTabTitle(words: string, state: JobState): void {
  const { label, tone } = JOB_STATE_FACTS[state]
  useEffect(() => {
    document.title = `${label}: ${words} · Corrigenda`
  }, [label, words])
  useEffect(() => {
    const own = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
    if (!own) return
    const before = own.href
    own.href = toIcon(COLORS[tone], state === 'queued' || state === 'active')
    return () => {
      own.href = before
    }
  }, [tone, state])
}

/** Returns a ring icon for a queued or active job, and a disc icon for any other job. */
function toIcon(color: string, isOpen: boolean): string {
  const disc = isOpen
    ? `<circle cx="8" cy="8" r="5.500" fill="none" stroke="${color}" stroke-width="3"/>`
    : `<circle cx="8" cy="8" r="7" fill="${color}"/>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">${disc}</svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}

/** Announces each state change, but not the initial state. */
export function useStateAnnouncement(label: string): void {
  const announce = useAnnounce()
  const last = useRef(label)
  useEffect(() => {
    if (last.current === label) return
    last.current = label
    announce(`Job status: ${label}`)
  }, [label, announce])
}
