import { Button } from '../components/button.tsx'
import type { IconName } from '../components/icon.tsx'
import { Menu } from '../components/menu.tsx'
import { setTheme, type Theme, useTheme } from './theme.ts'

const THEMES: readonly { theme: Theme; label: string; icon: IconName }[] = [
  { theme: 'system', label: 'System', icon: 'contrast' },
  { theme: 'light', label: 'Light', icon: 'sun' },
  { theme: 'dark', label: 'Dark', icon: 'moon' },
]

export function ThemeSwitch() {
  const current = useTheme()
  const icon = THEMES.find(({ theme }) => theme === current)?.icon ?? 'contrast'
  return (
    <Menu
      trigger={
        <Button variant="quiet" icon={icon}>
          Theme
        </Button>
      }
      entries={THEMES.map(({ theme, label, icon }) => ({
        label,
        icon: theme === current ? 'check' : icon,
        onSelect: () => setTheme(theme),
      }))}
    />
  )
}
