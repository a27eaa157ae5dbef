import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startLanguage } from '#web/lib/i18n/i18n.ts'
import { SlowNote } from './skeleton.tsx'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('a user who waits for more than five seconds reads that the connection is slow', async () => {
  await startLanguage('de')
  render(<SlowNote />)
  act(() => vi.advanceTimersByTime(4900))
  expect(screen.queryByRole('status')).toBeNull()
  act(() => vi.advanceTimersByTime(200))
  expect(screen.getByRole('status')).toHaveTextContent('Die Verbindung ist langsam.')
})
