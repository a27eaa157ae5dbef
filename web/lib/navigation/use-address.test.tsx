import { render, screen, waitFor } from '@testing-library/react'
import { createBrowserRouter, RouterProvider } from 'react-router-dom'
import { expect, test } from 'vitest'
import { useAddress } from './use-address.ts'

/** Renders a screen that keeps the functions of all its renderings. */
function open() {
  const changes: ReturnType<typeof useAddress>[1][] = []
  function Screen() {
    const [address, change] = useAddress()
    changes.push(change)
    return <p>{address.toString()}</p>
  }
  window.history.replaceState(null, '', '/')
  render(<RouterProvider router={createBrowserRouter([{ path: '/', element: <Screen /> }])} />)
  return changes
}

test('a change of the address from a screen that still shows the one before keeps it', async () => {
  const [change] = open()
  change?.({ kind: 'key_ended' })
  await waitFor(() => expect(window.location.search).toBe('?kind=key_ended'))
  change?.({ sort: 'who' })
  expect(await screen.findByText('kind=key_ended&sort=who')).toBeTruthy()
})

test('an empty value removes a parameter from the address', async () => {
  const changes = open()
  changes[0]?.({ kind: 'key_ended', sort: 'who' })
  await screen.findByText('kind=key_ended&sort=who')
  changes.at(-1)?.({ kind: '' })
  expect(await screen.findByText('sort=who')).toBeTruthy()
})
