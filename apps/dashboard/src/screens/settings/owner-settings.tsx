import type { MonthlySpend, ProjectSettings } from '@corrigenda/contracts'
import type { FormEvent } from 'react'
import { Block } from '../../components/block.tsx'
import { Field } from '../../components/field.tsx'
import { SpendMeter } from '../../components/spend-meter.tsx'
import { BudgetsSection } from './budgets-section.tsx'
import { CredentialSection } from './credential-section.tsx'
import { DangerSection } from './danger-section.tsx'
import { DeployTargetSection } from './deploy-target-section.tsx'
import { DeploymentsSection } from './deployments-section.tsx'
import { SaveBar } from './form/save-bar.tsx'
import { type SettingsForm, useSettingsForm } from './form/use-settings-form.ts'
import { PolicySection } from './policy-section.tsx'
import { RepositorySection } from './repository-section.tsx'
import { RetentionSection } from './retention-section.tsx'
import { SectionIndex } from './section-index.tsx'
import { SourcesSection } from './sources-section.tsx'
import { useConnectionCheck } from './use-connection-check.ts'
import { WebhooksSection } from './webhooks-section.tsx'

/** All sections of the settings. The fields are one form. Lists are changed in dialogs. */
export function OwnerSettings({ settings }: { settings: ProjectSettings }) {
  const check = useConnectionCheck()
  const form = useSettingsForm(settings, (saved) => {
    if (saved.repository !== settings.repository || saved.baseBranch !== settings.baseBranch) check.start()
  })
  const onSubmit = (event: FormEvent) => {
    // Forms in dialogs bubble through React's tree.
    if (event.target !== event.currentTarget) return
    event.preventDefault()
    form.save()
  }
  return (
    <div className="settings-columns">
      <SectionIndex />
      <form className="settings stack gap-5" onSubmit={onSubmit}>
        <RepositorySection form={form} check={check} />
        <CredentialSection credential={settings.credential} onChange={check.start} />
        <SourcesSection settings={settings} check={check} />
        <PolicySection form={form} />
        <BudgetsSection form={form} />
        <MonthlyBudgetSection form={form} spend={settings.monthlySpend} />
        <RetentionSection form={form} />
        <DeployTargetSection form={form} target={settings.deployTarget} />
        <DeploymentsSection hasTarget={settings.deployTarget !== null} />
        <WebhooksSection />
        <DangerSection />
        <SaveBar form={form} />
      </form>
    </div>
  )
}

/** The project's budget for each calendar month, and the spend of the current month. */
function MonthlyBudgetSection({ form, spend }: { form: SettingsForm; spend: MonthlySpend }) {
  return (
    <Block
      title="Monthly budget"
      id="monthly-budget"
      description="When the budget is used up, active jobs fail before their next turn and new jobs are rejected until the month ends. Webhooks receive a warning at 80 %."
    >
      <div className="block-body">
        <SpendMeter spend={spend} />
        <div className="block-form">
          <Field
            label="US dollars per month"
            hint="Leave empty for no budget."
            type="number"
            inputMode="decimal"
            min={0.01}
            max={1_000_000_000}
            step={0.01}
            {...form.bind('monthlyBudgetUsd')}
          />
        </div>
      </div>
    </Block>
  )
}
