import type { ProjectPolicy } from '@corrigenda/contracts'
import { Select } from '../../components/select.tsx'
import { TextArea } from '../../components/text-area.tsx'
import { fromLines, toLines } from './form-text.ts'

/** The values of the two form controls. */
export interface LocalesText {
  readonly choice: 'all' | 'source-only' | 'some'
  /** One language per line. Used only with `some`. */
  readonly some: string
}

export const fromLocales = (locales: ProjectPolicy['locales']): LocalesText =>
  typeof locales === 'string' ? { choice: locales, some: '' } : { choice: 'some', some: fromLines(locales) }

export const toLocales = ({ choice, some }: LocalesText): ProjectPolicy['locales'] =>
  choice === 'some' ? toLines(some) : choice

const OPTIONS: readonly { value: LocalesText['choice']; label: string }[] = [
  { value: 'all', label: 'All languages' },
  { value: 'source-only', label: 'Source language only' },
  { value: 'some', label: 'Source language and selected translations' },
]

/** The documentation languages that the agent may change. */
export function LocalesField({ value, onValue }: { value: LocalesText; onValue: (value: LocalesText) => void }) {
  return (
    <>
      <Select
        label="Languages"
        hint="Translations are detected by folder, such as fr or i18n/pt-BR, and by file name, such as page.de.md."
        options={OPTIONS}
        value={value.choice}
        onValue={(choice) =>
          onValue({ ...value, choice: OPTIONS.find((option) => option.value === choice)?.value ?? 'all' })
        }
      />
      {value.choice === 'some' ? (
        <TextArea
          label="Writable translations"
          hint="One language per line, spelled as in the folder name, such as de or pt-BR."
          rows={3}
          spellCheck={false}
          value={value.some}
          onChange={(event) => onValue({ ...value, some: event.target.value })}
        />
      ) : null}
    </>
  )
}
