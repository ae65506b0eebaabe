import { CodeKind } from '@corrigenda/contracts'
import { Checkbox } from '../../components/checkbox.tsx'

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

/** The kinds of executable content that the agent may add. */
export function AllowedCodeField(props: {
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
