import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import { type JobPlace, readJobPlace } from './job-place.ts'

/**
 * Returns the part of the page that the address names, and a function that changes it. The change
 * replaces the entry in the browser's history and does not scroll.
 */
export function useJobPlace(): [JobPlace, (place: JobPlace) => void] {
  const place = readJobPlace(useSearch({ strict: false }))
  const navigate = useNavigate()
  const setPlace = useCallback(
    (search: JobPlace) => void navigate({ to: '.', search, replace: true, resetScroll: false }),
    [navigate],
  )
  return [place, setPlace]
}
