import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { renderAt } from '#web/test/render-at.tsx'

test('no map tile is requested before signing in', async () => {
  await renderAt('/login')
  await screen.findByRole('heading', { name: 'Sign in' })
  expect(document.querySelectorAll('img')).toHaveLength(0)
})

test('R-1.26 the language can be chosen before signing in', async () => {
  await renderAt('/login')
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Language' }), 'fr')
  await waitFor(() => expect(document.documentElement.lang).toBe('fr'))
})
