import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import { followSystemTheme } from './app/preferences.ts'
import { router } from './routes.tsx'
import { ApiError } from './server/client.ts'
import { SESSION } from './server/queries.ts'

followSystemTheme()

/** A session can end, or move to another business, at any time. The gate (shell/gate.tsx) acts on it. */
function noticeEnd(error: unknown): void {
  if (!(error instanceof ApiError) || client.getQueryData(SESSION) == null) return
  if (error.status === 401) client.setQueryData(SESSION, null)
  if (error.code === 'business_changed') void client.invalidateQueries({ queryKey: SESSION })
}

/** Try again after silence and server errors, never after a refusal. */
const mayRetry = (failures: number, error: Error) =>
  failures < 2 && !(error instanceof ApiError && error.status < 500 && error.status !== 429)

const client: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeEnd }),
  mutationCache: new MutationCache({ onError: noticeEnd }),
  defaultOptions: {
    queries: { staleTime: 10_000, retry: mayRetry },
    // Changes are never repeated by themselves: the person decides about a second try.
    mutations: { retry: false, networkMode: 'always' },
  },
})

const root = document.querySelector('#root')
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
}
