try {
  const theme = localStorage.getItem('corrigenda-theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // The browser blocks storage, so the page uses the system theme.
}
