import { screen } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { renderAt } from '#web/test/render-at.tsx'
import { CONFIG } from '#web/test/sample-config.ts'

describe('R-2.31 /contact_us', () => {
  test('the contact page shows the support address without a session or a request', async () => {
    const { calls } = await renderAt('/contact_us')
    expect(await screen.findByRole('heading', { level: 1, name: 'Contact us' })).toBeVisible()
    expect(screen.getByRole('link', { name: 'Write an e-mail' })).toHaveAttribute('href', 'mailto:support@example.com')
    expect(screen.getByText('support@example.com')).toBeVisible()
    expect(screen.queryByRole('link', { name: 'Open the contact form' })).toBeNull()
    expect(calls).toEqual([])
  })

  test('the contact page links to the support form', async () => {
    await renderAt('/contact_us', { config: { ...CONFIG, supportForm: 'https://help.example/form' } })
    expect(await screen.findByRole('link', { name: 'Open the contact form' })).toHaveAttribute('href', 'https://help.example/form')
  })

  test('the contact page says so when neither address nor form is configured', async () => {
    await renderAt('/contact_us', { config: { supportEmail: undefined } })
    expect(await screen.findByText('No support address has been set up for this portal.')).toBeVisible()
  })

  test('R-1.5 the contact page links to no other page inside the native app', async () => {
    await renderAt('/contact_us?native_app=1')
    await screen.findByRole('heading', { level: 1, name: 'Contact us' })
    expect(screen.queryByRole('link', { name: 'Go to the start page' })).toBeNull()
  })
})
