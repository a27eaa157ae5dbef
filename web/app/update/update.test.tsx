import { act, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { clock } from '#web/lib/clock.ts'
import { storage } from '#web/lib/storage.ts'
import { renderAt } from '#web/test/render-at.tsx'
import { CONFIG } from '#web/test/sample-config.ts'
import { checkBuild, update } from './update.ts'

const realNow = clock.now
afterEach(() => {
  clock.now = realNow
  act(() => update.later())
  storage.remove('hiddenBuild')
})

const serving = (build: string) => {
  let asked = 0
  const fetch = async () => {
    asked++
    return Response.json({ ...CONFIG, build })
  }
  return { fetch: fetch as typeof globalThis.fetch, asked: () => asked }
}
const laterBy = (minutes: number) => {
  const at = clock.now().getTime() + minutes * 60_000
  clock.now = () => new Date(at)
}

test('R-2.76 a new build is offered, and Later hides the offer until the next build', async () => {
  const { user } = await renderAt('/login')
  await screen.findByRole('heading', { name: 'Sign in' })
  await act(() => checkBuild(serving('next').fetch, true))
  expect(await screen.findByRole('dialog', { name: 'Update available' })).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Later' }))
  expect(screen.queryByRole('dialog')).toBeNull()
  await act(() => checkBuild(serving('next').fetch, true))
  expect(screen.queryByRole('dialog')).toBeNull()
  await act(() => checkBuild(serving('after that').fetch, true))
  expect(await screen.findByRole('dialog', { name: 'Update available' })).toBeVisible()
})

test('the portal checks for a new build at most every 5 minutes', async () => {
  await renderAt('/login')
  const { fetch, asked } = serving('test')
  await checkBuild(fetch)
  laterBy(4)
  await checkBuild(fetch)
  expect(asked()).toBe(0)
  laterBy(6)
  await checkBuild(fetch)
  await checkBuild(fetch)
  expect(asked()).toBe(1)
  expect(update.waiting()).toBeNull()
})
