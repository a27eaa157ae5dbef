import { MantineProvider } from '@mantine/core'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { RouterProvider } from 'react-router-dom'
import { afterEach, expect, test, vi } from 'vitest'
import { ApiError } from '#web/lib/api/api-error.ts'
import { setConfig } from '#web/lib/config.ts'
import { startLanguage } from '#web/lib/i18n/i18n.ts'
import type { RouteRow, ScreenRow } from '#web/lib/navigation/routing.ts'
import { storage } from '#web/lib/storage.ts'
import { CONFIG } from '#web/test/sample-config.ts'
import { createRouter } from './app.tsx'

const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
afterEach(() => logged.mockClear())

const row = (screen: ScreenRow['screen'], access: ScreenRow['access'] = 'public'): RouteRow => ({
  name: 'index',
  path: '/',
  layout: 'bare',
  access,
  screen,
})
const login: RouteRow = {
  name: 'login',
  path: '/login',
  layout: 'bare',
  access: 'public',
  screen: async () => ({ default: () => <h1>Login</h1> }),
}

async function open(first: RouteRow, path = '/') {
  await startLanguage('en')
  setConfig(CONFIG)
  window.history.replaceState(null, '', path)
  render(
    <MantineProvider>
      <RouterProvider router={createRouter([first, login])} />
    </MantineProvider>,
  )
  return userEvent.setup()
}

function breaking(error: unknown) {
  let isBroken = true
  const Body = () => {
    if (isBroken) throw error
    return <h1>Here again</h1>
  }
  return { screen: async () => ({ default: Body }), mend: () => (isBroken = false) }
}

test('R-2.77 a crashed screen shows the server error in place and keeps its address', async () => {
  const { screen: broken, mend } = breaking(new Error('bug'))
  const user = await open(row(broken), '/?x=1')
  expect(await screen.findByRole('heading', { name: 'Server error' })).toBeVisible()
  expect(window.location.pathname + window.location.search).toBe('/?x=1')
  mend()
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('heading', { name: 'Here again' })).toBeVisible()
})

test('R-7.29 a failed read shows an error in place with a way to try again', async () => {
  const { screen: broken, mend } = breaking(new ApiError(500, { code: 'server_error' }))
  const user = await open(row(broken))
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('We could not load this.'))
  mend()
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('heading', { name: 'Here again' })).toBeVisible()
})

test('R-7.26 a failure that leads to another page shows nothing in between', async () => {
  await open(row(breaking(new ApiError(0, { code: 'no_answer', isLeaving: true })).screen))
  await waitFor(() => expect(logged).toHaveBeenCalled())
  expect(screen.queryByRole('alert')).toBeNull()
})

test('a chunk that keeps failing after many page reloads offers to reload the page', async () => {
  sessionStorage.setItem('reloads', JSON.stringify(Array(15).fill(performance.timeOrigin + performance.now())))
  await open(row(() => Promise.reject(new TypeError('Failed to fetch dynamically imported module: /assets/x.js'))))
  expect(await screen.findByRole('heading', { name: 'Page not loaded' })).toBeVisible()
  expect(screen.getByRole('button', { name: 'Reload' })).toBeVisible()
})

test('a loading screen shows a progress indicator that screen readers announce', async () => {
  await open(row(() => new Promise(() => {})))
  expect(await screen.findByRole('status')).toHaveTextContent('Loading…')
})

test('R-2.3 R-4.31 without a session the screen is not loaded, and the login page leads back to it', async () => {
  const loads = vi.fn(async () => ({ default: () => <h1>Private</h1> }))
  await open({ ...row(loads, 'session'), path: '/trackers' } as RouteRow, '/trackers?tag=2')
  expect(await screen.findByRole('heading', { name: 'Login' })).toBeVisible()
  expect(window.location.search).toBe('?next=%2Ftrackers%3Ftag%3D2')
  expect(loads).not.toHaveBeenCalled()
})

test('R-2.2 with a session the screen is shown under its title', async () => {
  storage.set('token', 'abc')
  await open(row(async () => ({ default: () => <h1>Private</h1> }), 'session'))
  expect(await screen.findByRole('heading', { name: 'Private' })).toBeVisible()
  expect(document.title).toBe('Whereabouts - Map')
})
