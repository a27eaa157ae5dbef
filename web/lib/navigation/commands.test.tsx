import { act, render, screen } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { type Command, palette, useAvailableCommands, useCommands } from './commands.ts'

const command = (label: string): Command => ({ id: label, label, run: () => {} })
const PAGES = [command('Map'), command('Trackers')]
const REX = [command('Rex')]

const Offer = ({ list }: { list: readonly Command[] }) => {
  useCommands(list)
  return null
}
const Offered = () => (
  <output>
    {useAvailableCommands()
      .map(({ label }) => label)
      .join(' ')}
  </output>
)
const view = (...lists: (readonly Command[])[]) => (
  <>
    <Offered />
    {lists.map((list) => (
      <Offer key={list[0]?.id} list={list} />
    ))}
  </>
)
const offered = () => screen.getByRole('status').textContent
beforeEach(() => palette.show(false))

test('commands of all mounted screens are available together', () => {
  const { rerender } = render(view(PAGES, REX))
  expect(offered()).toBe('Map Trackers Rex')
  rerender(view(PAGES))
  expect(offered()).toBe('Map Trackers')
  rerender(view())
  expect(offered()).toBe('')
})

test('a new list replaces the earlier one of the same screen', () => {
  const { rerender } = render(
    <>
      <Offered />
      <Offer list={REX} />
    </>,
  )
  rerender(
    <>
      <Offered />
      <Offer list={[command('Minou')]} />
    </>,
  )
  expect(offered()).toBe('Minou')
})

test('subscribers are notified when the palette opens and closes, until they unsubscribe', () => {
  const told: boolean[] = []
  const stop = palette.subscribe(() => told.push(palette.isOpen()))
  act(() => palette.show(true))
  act(() => palette.show(false))
  stop()
  act(() => palette.show(true))
  expect(told).toEqual([true, false])
})
