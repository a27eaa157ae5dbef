import { QueryClientProvider, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '#web/lib/api/api-error.ts'
import { queryClient } from '#web/lib/api/query.ts'
import { startLanguage } from '#web/lib/i18n/i18n.ts'
import { ThemeProvider } from '#web/theme/theme-provider.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { Part } from './part.tsx'

let logged = vi.spyOn(console, 'error')
beforeEach(async () => {
  logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  await startLanguage('en')
})
afterEach(() => {
  logged.mockRestore()
  queryClient.clear()
})

const SERVER_ERROR = new ApiError(500, { code: 'server_error' })

/** A screen with a count in its heading and a list in a part; each read fails with `error` until it is null. */
function start(error: unknown) {
  const state = { error, reads: 0 }
  const query = {
    queryKey: ['names'],
    queryFn: async () => {
      state.reads++
      if (state.error) throw state.error
      return ['Rex', 'Misty']
    },
  }
  const Names = () => useSuspenseQuery(query).data.map((name) => <p key={name}>{name}</p>)
  const Heading = () => <h1>Names {useQuery({ ...query, enabled: false }).data?.length}</h1>
  const Screen = ({ isOpen }: { isOpen: boolean }) => (
    <ErrorBoundary fallback={() => <p>The screen failed</p>}>
      <Heading />
      {isOpen && (
        <Part title="No names">
          <Names />
        </Part>
      )}
    </ErrorBoundary>
  )
  const tree = (isOpen: boolean) => (
    <ThemeProvider>
      <QueryClientProvider client={queryClient}>
        <Screen isOpen={isOpen} />
      </QueryClientProvider>
    </ThemeProvider>
  )
  const { rerender } = render(tree(true))
  return { state, show: (isOpen: boolean) => rerender(tree(isOpen)) }
}

test('a part shows that it loads, and then its data, which the heading shows too', async () => {
  const { state } = start(null)
  expect(screen.getByRole('status')).toHaveTextContent('Loading…')
  expect(screen.getByRole('heading')).toHaveTextContent('Names')
  expect(await screen.findByText('Rex')).toBeVisible()
  expect(screen.getByRole('heading')).toHaveTextContent('Names 2')
  expect(state.reads).toBe(1)
})

test('R-7.29 a part that fails leaves the heading, and trying again reads once more', async () => {
  const { state } = start(SERVER_ERROR)
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('No names'))
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Names')
  expect(state.reads).toBe(1)
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('No names'))
  expect(state.reads).toBe(2)
  state.error = null
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Rex')).toBeVisible()
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Names 2')
  expect(screen.queryByRole('alert')).toBeNull()
})

test('a part that failed and was closed loads when it is opened again', async () => {
  const { state, show } = start(SERVER_ERROR)
  await screen.findByRole('alert')
  show(false)
  state.error = null
  show(true)
  expect(await screen.findByText('Rex')).toBeVisible()
})

test('data that could not be refreshed stays', async () => {
  const { state } = start(null)
  await screen.findByText('Rex')
  state.error = SERVER_ERROR
  await queryClient.invalidateQueries()
  expect(state.reads).toBe(2)
  expect(screen.getByText('Rex')).toBeVisible()
  expect(screen.queryByRole('alert')).toBeNull()
})

test('R-7.26 a failure that leads to another page shows nothing in between', async () => {
  const { state } = start(new ApiError(0, { code: 'no_answer', isLeaving: true }))
  await expect.poll(() => state.reads).toBe(1)
  await expect.poll(() => logged).toHaveBeenCalled()
  expect(screen.queryByRole('alert')).toBeNull()
})

test('R-2.77 a crash is passed to the screen', async () => {
  start(new Error('bug'))
  expect(await screen.findByText('The screen failed')).toBeVisible()
})
