import { fireEvent, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from '#web/lib/api/query.ts'
import { followPulls } from './pull-to-refresh.ts'

const reload = vi.spyOn(queryClient, 'invalidateQueries')
beforeAll(followPulls)
beforeEach(() => {
  reload.mockClear()
  document.body.innerHTML = '<main><ul><li>Rex</li></ul><div class="leaflet-container"></div></main>'
  setHeights(700, 200)
})
afterEach(() => waitFor(() => expect(circle()).toBeNull()))

const find = (selector: string) => document.querySelector(selector)!
function setHeights(page: number, map: number) {
  Object.defineProperty(find('main'), 'clientHeight', { value: page, configurable: true })
  Object.defineProperty(find('.leaflet-container'), 'clientHeight', { value: map, configurable: true })
}
const circle = () => document.querySelector('body > [aria-hidden]')

function pull(target: Element, down: number, right = 0) {
  const at = (share: number) => ({ touches: [{ clientX: 100 + right * share, clientY: 100 + down * share }] })
  fireEvent.touchStart(target, at(0))
  fireEvent.touchMove(target, at(0.5))
  fireEvent.touchMove(target, at(1))
  const isSeen = circle() !== null
  fireEvent.touchEnd(target, { touches: [] })
  return isSeen
}

test('a long pull at the top of a page reloads its data', () => {
  expect(pull(find('li'), 150)).toBe(true)
  expect(reload).toHaveBeenCalledOnce()
})

test('a short pull only shows the circle', () => {
  expect(pull(find('li'), 60)).toBe(true)
  expect(reload).not.toHaveBeenCalled()
})

test('a movement up or to the side, a pull of a map, and one in a scrolled page do nothing', () => {
  expect(pull(find('li'), -150)).toBe(false)
  expect(pull(find('li'), 120, 200)).toBe(false)
  expect(pull(find('.leaflet-container'), 150)).toBe(false)
  find('main').scrollTop = 40
  expect(pull(find('li'), 150)).toBe(false)
  expect(reload).not.toHaveBeenCalled()
})

test('a map screen is not reloaded by a pull, because it follows its trackers', () => {
  setHeights(700, 700)
  expect(pull(find('li'), 150)).toBe(false)
})
