import { useEffect, useRef, useState } from 'react'
import { Field, type FieldProps } from './field.tsx'

/** Pause in ms after which a value is reported, or after which a value that was not used is removed. */
const PAUSE_MS = 500

interface SettledFieldProps extends Omit<FieldProps, 'value' | 'onChange' | 'ref'> {
  readonly value: string
  /** Returns false for a value that is not complete, which is not reported. */
  readonly accepts?: (text: string) => boolean
  readonly onValue: (value: string) => void
}

/**
 * A field whose value is reported after a pause, on Enter, and when the field loses the focus. It shows
 * what the user types although `value` changes later, such as a value in the address of the page.
 */
export function SettledField({ value, accepts = () => true, onValue, ...field }: SettledFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(value)
  const [isFocused, setFocused] = useState(false)
  const report = () => {
    if (text.trim() !== value && accepts(text)) onValue(text)
  }
  const latest = useRef(report)
  latest.current = report
  useEffect(() => {
    if (text === value) return
    const timer = setTimeout(() => (isFocused ? latest.current() : setText(value)), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text, value, isFocused])
  // Another control has changed the value.
  useEffect(() => {
    if (document.activeElement !== input.current) setText(value)
  }, [value])
  return (
    <Field
      {...field}
      ref={input}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onFocus={() => setFocused(true)}
      onBlur={() => {
        setFocused(false)
        report()
      }}
      onKeyDown={(event) => event.key === 'Enter' && report()}
    />
  )
}
