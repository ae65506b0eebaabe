import type { JobPlace } from './job-place.ts'

/** Returns the address of a part of the page that is shown. */
export function toPlaceLink(place: JobPlace): string {
  const { origin, pathname } = window.location
  const query = new URLSearchParams(Object.entries(place)).toString()
  return `${origin}${pathname}${query === '' ? '' : `?${query}`}`
}
