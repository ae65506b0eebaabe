import type { FormEvent } from 'react'

/**
 * Returns a reader for the fields of a submitted form, by name. An absent field is empty. Prevents
 * the browser's own submission.
 */
export function readForm(event: FormEvent<HTMLFormElement>): (name: string) => string {
  event.preventDefault()
  const data = new FormData(event.currentTarget)
  return (name) => {
    const value = data.get(name)
    return typeof value === 'string' ? value : ''
  }
}
