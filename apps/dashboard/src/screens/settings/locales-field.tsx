import { Select } from '../../components/select.tsx'
import { TextArea } from '../../components/text-area.tsx'
import type { LocaleChoice } from './form/settings-draft.ts'
import type { SettingsForm } from './form/use-settings-form.ts'

const OPTIONS: readonly { value: LocaleChoice; label: string }[] = [
  { value: 'all', label: 'All languages' },
  { value: 'source-only', label: 'Source language only' },
  { value: 'some', label: 'Source language and selected translations' },
]

/** The documentation languages that the agent may change. */
export function LocalesField({ form }: { form: SettingsForm }) {
  const { localeChoice } = form.draft
  return (
    <>
      <Select
        label="Languages"
        hint="Translations are detected by folder, such as fr or i18n/pt-BR, and by file name, such as page.de.md."
        options={OPTIONS}
        value={localeChoice}
        onValue={(choice) => form.set({ localeChoice: OPTIONS.find(({ value }) => value === choice)?.value ?? 'all' })}
      />
      {localeChoice === 'some' ? (
        <TextArea
          label="Writable translations"
          hint="One language per line, spelled as in the folder name, such as de or pt-BR."
          rows={3}
          spellCheck={false}
          {...form.bind('localeList')}
        />
      ) : null}
    </>
  )
}
