import type { FormEvent } from 'react'

/** Reads the fields of a form that is being sent, by name: a field that is not there is empty. Keeps the browser from sending it itself. */
export function readForm(event: FormEvent<HTMLFormElement>): (name: string) => string {
  event.preventDefault()
  const data = new FormData(event.currentTarget)
  return (name) => {
    const value = data.get(name)
    return typeof value === 'string' ? value : ''
  }
}
