import { cleanup, screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { storage } from '#web/lib/storage.ts'
import { renderAt } from '#web/test/render-at.tsx'

const heading = () => screen.findByRole('heading', { level: 1 })

describe.each([
  ['R-2.48', 'findmy', 1, 2, 'Find my tracker', /within about 20 metres/],
  ['R-2.49', 'rtb', 2, 1, 'Real-time boost', /every 30 seconds/],
])('%s /app/native/%s', (_, target, bit, other, name, sentence) => {
  const path = `/app/native/${target}`

  test.each([bit, 3, bit + 4])('a capable host app takes over (deeplink=%i)', async (deeplink) => {
    const { calls } = await renderAt(`${path}?native_app=1&deeplink=${deeplink}`)
    expect(await heading()).toHaveTextContent(name)
    expect(screen.getByText(sentence)).toBeVisible()
    expect(screen.queryByRole('navigation')).toBeNull()
    expect(calls).toEqual([])
  })

  test.each([0, other, 4])('a host app without the feature is asked to update (deeplink=%i)', async (deeplink) => {
    await renderAt(`${path}?native_app=1&deeplink=${deeplink}`)
    expect(await heading()).toHaveTextContent('App update needed')
  })

  test('a plain browser is told that the feature is in the app', async () => {
    await renderAt(path)
    expect(await heading()).toHaveTextContent('Available in the mobile app')
    expect(screen.getByRole('link', { name: 'Open the app' })).toHaveAttribute('href', '/start_track_app/')
  })

  test('R-2.34 /deep-link leads a capable host app to the feature', async () => {
    await renderAt(`/deep-link?target=${target}&native_app=1&deeplink=${bit}`)
    await waitFor(() => expect(window.location.pathname).toBe(path))
    expect(await heading()).toHaveTextContent(name)
  })

  test('R-2.34 /deep-link asks a host app without the feature to update', async () => {
    await renderAt(`/deep-link?target=${target}&native_app=1&deeplink=${other}`)
    expect(await heading()).toHaveTextContent('App update needed')
  })
})

test('R-2.34 /deep-link follows no other target', async () => {
  const failures = await collectFailures(
    ['https://evil.example', '//evil.example', '/account', 'findmy/../../account', ''],
    (target) => JSON.stringify(target),
    async (target) => {
      cleanup()
      await renderAt(`/deep-link?${new URLSearchParams({ target })}&deeplink=3`)
      expect(await heading()).toHaveTextContent('App update needed')
      expect(window.location.pathname).toBe('/deep-link')
    },
  )
  expect(failures).toEqual([])
})

test('R-2.50 R-2.51 an unknown native path asks for an update of the app', async () => {
  const failures = await collectFailures(
    ['/app/native/foo', '/app/native/foo/bar', '/app/native/', '/app/native', '/exit'],
    (path) => path,
    async (path) => {
      cleanup()
      localStorage.clear()
      await renderAt(path)
      expect(await heading()).toHaveTextContent('App update needed')
      expect(storage.get('lastVisitedRoute')).toBe('appNeedsUpdate')
      expect(screen.getAllByRole('link').map((link) => link.textContent)).toEqual(['App Store', 'Google Play'])
    },
  )
  expect(failures).toEqual([])
})
