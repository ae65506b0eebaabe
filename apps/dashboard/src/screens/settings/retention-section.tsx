import type { ProjectSettings } from '@corrigenda/contracts'
import { useState } from 'react'
import { Block } from '../../components/block.tsx'
import { Field } from '../../components/field.tsx'
import { fromNumber, toNumber } from './form-text.ts'
import { SettingsForm } from './settings-form.tsx'
import { useSaveSettings } from './use-save-settings.ts'

const MAX_DAYS = 36_500

/** Days after which the project's transcripts and jobs are removed. */
export function RetentionSection({ retention }: { retention: ProjectSettings['retention'] }) {
  const [transcriptDays, setTranscriptDays] = useState(fromNumber(retention.transcriptDays))
  const [jobDays, setJobDays] = useState(fromNumber(retention.jobDays))
  const save = useSaveSettings()
  const days = { type: 'number', inputMode: 'numeric', min: 1, max: MAX_DAYS, step: 1 } as const
  return (
    <Block
      title="Data retention"
      id="retention"
      description="Old data is removed for good. A shorter period of the service also applies. Jobs that are active or whose pull request is open are kept."
    >
      <div className="block-body">
        <SettingsForm
          action="Save retention periods"
          busy={save.isPending}
          error={save.error}
          onSave={() =>
            save.mutate({ retention: { transcriptDays: toNumber(transcriptDays), jobDays: toNumber(jobDays) } })
          }
        >
          <Field
            {...days}
            label="Remove transcripts after (days)"
            hint="Leave empty to keep them as long as the service does."
            value={transcriptDays}
            onChange={(event) => setTranscriptDays(event.target.value)}
          />
          <Field
            {...days}
            label="Remove ended jobs after (days)"
            hint="Removes their prompts, transcripts, events and changes. Leave empty to keep them as long as the service does."
            value={jobDays}
            onChange={(event) => setJobDays(event.target.value)}
          />
        </SettingsForm>
      </div>
    </Block>
  )
}
