try {
  const theme = localStorage.getItem('corrigenda-theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // No storage: the system's choice holds.
}
