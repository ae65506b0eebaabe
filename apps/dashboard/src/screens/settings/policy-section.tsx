import { type CodeKind, DEFAULT_BRANCH_PREFIX, type ProjectPolicy } from '@corrigenda/contracts'
import { useState } from 'react'
import { Block } from '../../components/block.tsx'
import { Checkbox } from '../../components/checkbox.tsx'
import { Field } from '../../components/field.tsx'
import { Select } from '../../components/select.tsx'
import { TextArea } from '../../components/text-area.tsx'
import { AllowedCodeField } from './allowed-code-field.tsx'
import { fromLines, fromNumber, toLines, toNumber } from './form-text.ts'
import { fromLocales, LocalesField, toLocales } from './locales-field.tsx'
import { SettingsForm } from './settings-form.tsx'
import { useSaveSettings } from './use-save-settings.ts'

type Details = ProjectPolicy['pullRequestDetails']

const PULL_REQUEST_DETAILS: readonly { readonly value: Details; readonly label: string }[] = [
  { value: 'private-repositories', label: 'Only in private repositories' },
  { value: 'full', label: 'Always' },
  { value: 'none', label: 'Never' },
]

/** The paths that the agent may change, and the format of the pull requests. */
export function PolicySection({ policy }: { policy: ProjectPolicy }) {
  const [text, setText] = useState({
    readable: fromLines(policy.readable),
    writable: fromLines(policy.writable),
    forbidden: fromLines(policy.forbidden),
    maxFiles: fromNumber(policy.maxFiles),
    maxLines: fromNumber(policy.maxLines),
    labels: fromLines(policy.labels),
    reviewers: fromLines(policy.reviewers),
    branchPrefix: policy.branchPrefix,
    requestedBranchPrefixes: fromLines(policy.requestedBranchPrefixes),
    titlePattern: policy.titlePattern ?? '',
    instructions: policy.instructions,
    model: policy.model ?? '',
    maxOpenPullRequests: fromNumber(policy.maxOpenPullRequests),
  })
  const [locales, setLocales] = useState(() => fromLocales(policy.locales))
  const [allowedCode, setAllowedCode] = useState<readonly CodeKind[]>(policy.allowedCode)
  const [details, setDetails] = useState(policy.pullRequestDetails)
  const [on, setOn] = useState({
    draft: policy.draft,
    signOff: policy.signOff,
    codeownersReviewers: policy.codeownersReviewers,
    dedupe: policy.dedupe,
  })
  const save = useSaveSettings()
  const bind = (name: keyof typeof text) => ({
    value: text[name],
    onChange: (event: { target: { value: string } }) => setText((all) => ({ ...all, [name]: event.target.value })),
  })
  const toggle = (name: keyof typeof on) => ({
    checked: on[name],
    onChecked: (checked: boolean) => setOn((all) => ({ ...all, [name]: checked })),
  })
  const onSave = () =>
    save.mutate({
      policy: {
        readable: toLines(text.readable).length > 0 ? toLines(text.readable) : null,
        writable: toLines(text.writable).length > 0 ? toLines(text.writable) : null,
        forbidden: toLines(text.forbidden),
        maxFiles: toNumber(text.maxFiles),
        maxLines: toNumber(text.maxLines),
        locales: toLocales(locales),
        allowedCode: [...allowedCode],
        pullRequestDetails: details,
        ...on,
        labels: toLines(text.labels),
        reviewers: toLines(text.reviewers),
        branchPrefix: text.branchPrefix === '' ? null : text.branchPrefix,
        requestedBranchPrefixes: toLines(text.requestedBranchPrefixes),
        titlePattern: text.titlePattern.trim() === '' ? null : text.titlePattern,
        instructions: text.instructions,
        model: text.model.trim() === '' ? null : text.model,
        maxOpenPullRequests: toNumber(text.maxOpenPullRequests),
      },
    })
  return (
    <Block
      title="Policy"
      id="policy"
      description="Enforced on the final change, independently of the model. Workflows, lockfiles and build files are always protected, and files cannot be made executable. A .corrigenda.yml file in the repository can add restrictions."
    >
      <div className="block-body">
        <SettingsForm action="Save policy" busy={save.isPending} error={save.error} onSave={onSave}>
          <TextArea
            label="Readable paths"
            hint="One pattern per line, such as docs/**. Leave empty to allow every file. Files that the agent cannot read are not changed either."
            rows={3}
            spellCheck={false}
            {...bind('readable')}
          />
          <TextArea
            label="Writable paths"
            hint="One pattern per line, such as docs/**. Leave empty to allow documentation pages and navigation files."
            rows={3}
            spellCheck={false}
            {...bind('writable')}
          />
          <TextArea
            label="Forbidden paths"
            hint="One pattern per line. These files are never changed, even if listed above."
            rows={3}
            spellCheck={false}
            {...bind('forbidden')}
          />
          <div className="block-row">
            <Field
              label="Maximum files per change"
              type="number"
              min={1}
              max={50}
              placeholder="50"
              {...bind('maxFiles')}
            />
            <Field
              label="Maximum lines per change"
              type="number"
              min={1}
              max={5000}
              placeholder="5000"
              {...bind('maxLines')}
            />
          </div>
          <LocalesField value={locales} onValue={setLocales} />
          <AllowedCodeField value={allowedCode} onValue={setAllowedCode} />
          <TextArea
            label="Instructions"
            hint="Given to the agent for every job, in addition to the repository's own instructions."
            rows={5}
            prose
            maxLength={8000}
            {...bind('instructions')}
          />
          <Field
            label="Model"
            hint="Used when a job does not specify a model. Leave empty for the service default."
            {...bind('model')}
          />
          <Select
            label="Prompt, cost and job link in pull requests"
            options={PULL_REQUEST_DETAILS}
            value={details}
            onValue={(value) => setDetails(value as Details)}
          />
          <Checkbox label="Open pull requests as drafts" {...toggle('draft')} />
          <Checkbox label="Sign off commits (Signed-off-by)" {...toggle('signOff')} />
          <div className="block-row">
            <TextArea label="Labels" hint="One per line." rows={3} {...bind('labels')} />
            <TextArea
              label="Reviewers"
              hint="One login or organization/team per line."
              rows={3}
              {...bind('reviewers')}
            />
          </div>
          <Checkbox
            label="Also request reviews from the owners of the changed files (CODEOWNERS)"
            {...toggle('codeownersReviewers')}
          />
          <div className="block-row">
            <Field label="Branch prefix" placeholder={DEFAULT_BRANCH_PREFIX} {...bind('branchPrefix')} />
            <Field
              label="Title pattern"
              hint="{title} is the title from the agent. {date} and {job} are also available."
              placeholder="{title}"
              {...bind('titlePattern')}
            />
          </div>
          <TextArea
            label="Other branch prefixes"
            hint="One per line. Jobs can request branch names with one of these prefixes or the branch prefix above. Enter * to allow every name."
            rows={2}
            spellCheck={false}
            {...bind('requestedBranchPrefixes')}
          />
          <Field
            label="Maximum open pull requests"
            hint="New jobs are rejected while this many pull requests are open or in progress. Leave empty for no limit."
            type="number"
            min={1}
            max={1000}
            {...bind('maxOpenPullRequests')}
          />
          <Checkbox
            label="Reject a job if another job with the same prompt and base branch is active"
            {...toggle('dedupe')}
          />
        </SettingsForm>
      </div>
    </Block>
  )
}
