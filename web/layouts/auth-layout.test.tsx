import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { CONFIG, renderAt } from '#web/test/render-at.tsx'

const images = () => [...document.querySelectorAll('img')].map(({ src }) => new URL(src).pathname)

test('the art is a piece of our own map', async () => {
  await renderAt('/login')
  await screen.findByRole('heading', { name: 'Sign in' })
  expect(images().length).toBeGreaterThan(8)
  expect(images().every((path) => /^\/mock\/tiles\/14\/\d+\/\d+\.svg$/.test(path))).toBe(true)
})

test.each(['https://tiles.example.com/{z}/{x}/{y}.png', '//tiles.example.com/{z}/{x}/{y}.png'])(
  'trap 24: tiles at %s are not asked for before anybody has signed in',
  async (url) => {
    await renderAt('/login', { config: { tiles: { ...CONFIG.tiles, url } } })
    await screen.findByRole('heading', { name: 'Sign in' })
    expect(images()).toEqual([])
  },
)

test('R-1.26: the language can be chosen before signing in', async () => {
  await renderAt('/login')
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Language' }), 'fr')
  await waitFor(() => expect(document.documentElement.lang).toBe('fr'))
})
