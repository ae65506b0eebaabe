import { Block } from '../../components/block.tsx'
import { Field } from '../../components/field.tsx'
import type { SettingsForm } from './form/use-settings-form.ts'

const MAX_DAYS = 36_500

/** Days after which the project's transcripts and jobs are removed. */
export function RetentionSection({ form }: { form: SettingsForm }) {
  const days = { type: 'number', inputMode: 'numeric', min: 1, max: MAX_DAYS, step: 1 } as const
  return (
    <Block
      title="Data retention"
      id="retention"
      description="Old data is removed for good. A shorter period of the service also applies. Jobs that are active or whose pull request is open are kept."
    >
      <div className="block-body">
        <div className="block-form">
          <Field
            {...days}
            label="Remove transcripts after (days)"
            hint="Leave empty to keep them as long as the service does."
            {...form.bind('transcriptDays')}
          />
          <Field
            {...days}
            label="Remove ended jobs after (days)"
            hint="Removes their prompts, transcripts, events and changes. Leave empty to keep them as long as the service does."
            {...form.bind('jobDays')}
          />
        </div>
      </div>
    </Block>
  )
}
