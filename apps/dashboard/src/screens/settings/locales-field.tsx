import type { ProjectPolicy } from '@corrigenda/contracts'
import { Select } from '../../components/select.tsx'
import { TextArea } from '../../components/text-area.tsx'
import { fromLines, toLines } from './form-text.ts'

/** The values of the two controls. */
export interface LocalesText {
  readonly choice: 'all' | 'source-only' | 'some'
  /** One language per line. Only used with `some`. */
  readonly some: string
}

export const fromLocales = (locales: ProjectPolicy['locales']): LocalesText =>
  typeof locales === 'string' ? { choice: locales, some: '' } : { choice: 'some', some: fromLines(locales) }

export const toLocales = ({ choice, some }: LocalesText): ProjectPolicy['locales'] =>
  choice === 'some' ? toLines(some) : choice

const OPTIONS: readonly { value: LocalesText['choice']; label: string }[] = [
  { value: 'all', label: 'All languages' },
  { value: 'source-only', label: 'The source only: translations are left alone' },
  { value: 'some', label: 'The source, and these translations' },
]

/** The languages of the documentation that the agent may change. */
export function LocalesField({ value, onValue }: { value: LocalesText; onValue: (value: LocalesText) => void }) {
  return (
    <>
      <Select
        label="Languages"
        hint="Translations are found by their folders, such as fr or i18n/pt-BR, and by names such as page.de.md."
        options={OPTIONS}
        value={value.choice}
        onValue={(choice) =>
          onValue({ ...value, choice: OPTIONS.find((option) => option.value === choice)?.value ?? 'all' })
        }
      />
      {value.choice === 'some' ? (
        <TextArea
          label="Translations that may be written"
          hint="One language per line, as its folder is named: de, or pt-BR."
          rows={3}
          spellCheck={false}
          value={value.some}
          onChange={(event) => onValue({ ...value, some: event.target.value })}
        />
      ) : null}
    </>
  )
}
