import { CodeKind, DEFAULT_BRANCH_PREFIX, JOB_OPTIONS, type ProjectPolicy } from '@corrigenda/contracts'
import { useQuery } from '@tanstack/react-query'
import { modelsQuery } from '../../api/new-job.ts'
import { Block } from '../../components/block.tsx'
import { Checkbox, Field, Select, TextArea } from '../../components/field.tsx'
import { useProjectId } from '../../shell/use-project.ts'
import { ModelField } from '../new-job/model-field.tsx'
import type { LocaleChoice } from './form/settings-draft.ts'
import type { SettingsForm } from './form/use-settings-form.ts'

const OPTIONS: readonly { value: LocaleChoice; label: string }[] = [
  { value: 'all', label: 'All languages' },
  { value: 'source-only', label: 'Source language only' },
  { value: 'some', label: 'Source language and selected translations' },
]

const LABELS: Readonly<Record<CodeKind, string>> = {
  'mdx-code': 'Imports, exports and expressions in MDX',
  'vue-code': 'Scripts, expressions and directives in Vue pages',
  'front-matter-code': 'Code and scripts in front matter',
  'yaml-tags': 'YAML tags',
  'build-settings': 'Plugins, hooks and other build settings',
  directives: 'Directives that run code or insert raw text',
  includes: 'Includes of files outside the documentation',
  'dependency-manifests': 'Dependency manifests',
  'agent-instructions': 'Instructions for coding agents',
}

type Details = ProjectPolicy['pullRequestDetails']

const COMMENTS = [
  { value: 'off', label: 'None' },
  { value: 'mention', label: 'Mentions, replies, and requests for changes' },
  { value: 'all', label: 'All (only in private repositories)' },
] as const

const PULL_REQUEST_DETAILS: readonly { readonly value: Details; readonly label: string }[] = [
  { value: 'private-repositories', label: 'Only in private repositories' },
  { value: 'full', label: 'Always' },
  { value: 'none', label: 'Never' },
]

/** The paths that the agent may change, and the format of the pull requests. */
export function PolicySection({ form }: { form: SettingsForm }) {
  const { bind, toggle, draft, set, errors } = form
  const { data: models } = useQuery(modelsQuery(useProjectId()))
  return (
    <Block
      title="Policy"
      id="policy"
      description="Enforced on the final change, independently of the model. Workflows, lockfiles and build files are always protected, and files cannot be made executable. A .corrigenda.yml file in the repository can add restrictions."
    >
      <div className="block-body">
        <div className="block-form">
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
          <LocalesField form={form} />
          <AllowedCodeField value={draft.allowedCode} onValue={(allowedCode) => set({ allowedCode })} />
          <TextArea
            label="Instructions"
            hint="Given to the agent for every job, in addition to the repository's own instructions."
            rows={5}
            prose
            maxLength={8000}
            {...bind('instructions')}
          />
          <ModelField
            label="Default model"
            hint="Used when a job does not specify a model."
            choice={models}
            empty="Service default"
            value={draft.model}
            error={errors.model ?? null}
            onValue={(model) => set({ model })}
          />
          <Select
            label="Prompt, cost and job link in pull requests"
            options={PULL_REQUEST_DETAILS}
            value={draft.pullRequestDetails}
            onValue={(value) => set({ pullRequestDetails: value as Details })}
          />
          <Select
            label="If the agent needs an answer"
            hint="Choose “Fail the job” for callers that cannot answer, such as scripts."
            options={JOB_OPTIONS.questions.choices ?? []}
            value={draft.questions}
            onValue={(value) => set({ questions: value as ProjectPolicy['questions'] })}
          />
          <Select
            label="Comments on pull requests that start a follow-up"
            hint="Only comments of users with write permission count."
            options={COMMENTS}
            value={draft.comments}
            onValue={(value) => set({ comments: value as ProjectPolicy['comments'] })}
          />
          <Checkbox label="Open pull requests as drafts" {...toggle('draft')} />
          <Checkbox label="Sign off commits (Signed-off-by)" {...toggle('signOff')} />
          <Checkbox
            label="Name the users who asked for a change as co-authors of its commit (Co-authored-by)"
            {...toggle('coAuthoredBy')}
          />
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
        </div>
      </div>
    </Block>
  )
}

/** The kinds of executable content that the agent may add. */
function AllowedCodeField(props: {
  readonly value: readonly CodeKind[]
  readonly onValue: (value: readonly CodeKind[]) => void
}) {
  const { value, onValue } = props
  const toggle = (kind: CodeKind, isOn: boolean) =>
    onValue(CodeKind.options.filter((one) => (one === kind ? isOn : value.includes(one))))
  return (
    <fieldset className="settings-events">
      <legend>Executable content</legend>
      <p className="note">
        Runs when the documentation is built, so the agent cannot add it by default. A pull request with a kind that you
        allow opens as a draft and lists the content first.
      </p>
      {CodeKind.options.map((kind) => (
        <Checkbox
          key={kind}
          label={LABELS[kind]}
          checked={value.includes(kind)}
          onChecked={(isOn) => toggle(kind, isOn)}
        />
      ))}
    </fieldset>
  )
}

/** The documentation languages that the agent may change. */
function LocalesField({ form }: { form: SettingsForm }) {
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
