import './styles/fonts.css'
import './styles/tokens.css'
import './styles/base.css'
import './styles/controls.css'
import './styles/surfaces.css'
import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { buildQueryClient } from './api/build-query-client.ts'
import { Announcer } from './components/announcer.tsx'
import { ToastProvider } from './components/toast.tsx'
import { ShortcutProvider } from './keyboard/shortcuts.tsx'
import { buildRouter } from './router.tsx'
import { UpdateNotice } from './shell/update-notice.tsx'

const queryClient = buildQueryClient({
  // When the session ends, the session query is refetched, and the router redirects to the sign-in
  // page.
  onSignedOut: () => void queryClient.invalidateQueries({ queryKey: ['session'] }).then(() => router.invalidate()),
})
const router = buildRouter(queryClient)

const root = document.getElementById('root')
if (!root) throw new Error('the page has no #root element')
createRoot(root).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <Announcer>
          <ToastProvider>
            <ShortcutProvider>
              <RouterProvider router={router} />
              <UpdateNotice />
            </ShortcutProvider>
          </ToastProvider>
        </Announcer>
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
)
