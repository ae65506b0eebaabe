import type { MetaRecord } from 'nextra'

const meta: MetaRecord = {
  install: 'Install Harbour',
  configure: 'Configure schedules',
  restore: 'Restore a copy',
  monitor: 'Monitor runs',
  upgrade: 'Upgrade',
  '--': { type: 'separator' },
  callouts: { title: 'Callouts', display: 'hidden' },
}

export default meta
