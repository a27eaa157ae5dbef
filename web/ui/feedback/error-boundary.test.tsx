import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ErrorBoundary } from './error-boundary.tsx'

let logged = vi.spyOn(console, 'error')
beforeEach(() => {
  logged = vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => logged.mockRestore())

/** Renders a child that throws until `mend` is called. */
function start() {
  const state = { isBroken: true }
  const onRetry = vi.fn(() => {
    state.isBroken = false
  })
  const Child = () => {
    if (state.isBroken) throw new Error('bug')
    return <p>Well</p>
  }
  const tree = (resetKey: string) => (
    <ErrorBoundary
      resetKey={resetKey}
      onRetry={onRetry}
      fallback={(error, retry) => (
        <button type="button" onClick={retry}>
          {String(error)}
        </button>
      )}
    >
      <Child />
    </ErrorBoundary>
  )
  return { ...render(tree('a')), tree, onRetry, state }
}

test('R-2.77 the fallback is shown with the error', () => {
  start()
  expect(screen.getByRole('button')).toHaveTextContent('Error: bug')
})

test('a retry calls onRetry, then renders the children again', async () => {
  const { onRetry } = start()
  await userEvent.click(screen.getByRole('button'))
  expect(onRetry).toHaveBeenCalledOnce()
  expect(screen.getByText('Well')).toBeVisible()
})

test('a new reset key retries by itself', () => {
  const { rerender, tree, onRetry } = start()
  rerender(tree('b'))
  expect(onRetry).toHaveBeenCalledOnce()
  expect(screen.getByText('Well')).toBeVisible()
})

test('the same reset key does not retry', () => {
  const { rerender, tree, onRetry } = start()
  rerender(tree('a'))
  expect(onRetry).not.toHaveBeenCalled()
  expect(screen.getByRole('button')).toBeVisible()
})

test('a new reset key without an error does not call onRetry', async () => {
  const { rerender, tree, onRetry } = start()
  await userEvent.click(screen.getByRole('button'))
  rerender(tree('b'))
  expect(onRetry).toHaveBeenCalledOnce()
})

test('a boundary that is unmounted while it shows an error calls onRetry, another one does not', async () => {
  const broken = start()
  broken.unmount()
  expect(broken.onRetry).toHaveBeenCalledOnce()
  const mended = start()
  await userEvent.click(screen.getByRole('button'))
  mended.unmount()
  expect(mended.onRetry).toHaveBeenCalledOnce()
})

test('an error after a retry shows the fallback again', async () => {
  const { state, onRetry } = start()
  onRetry.mockImplementation(() => {})
  await userEvent.click(screen.getByRole('button'))
  expect(screen.getByRole('button')).toHaveTextContent('Error: bug')
  expect(state.isBroken).toBe(true)
})
