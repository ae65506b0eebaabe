import type { FormEvent } from 'react'

/**
 * Returns a function that reads the fields of a submitted form by name. Missing fields are empty.
 * Prevents the browser's default submission.
 */
export function readForm(event: FormEvent<HTMLFormElement>): (name: string) => string {
  event.preventDefault()
  const data = new FormData(event.currentTarget)
  return (name) => {
    const value = data.get(name)
    return typeof value === 'string' ? value : ''
  }
}
