import { expect, test } from 'vitest'
import { createLive, type LiveEvent } from './live.ts'

const event = (id: number): LiveEvent => ({ id, accountId: 1, deviceId: 7, type: 'position', data: '{}' })

test('everybody who listens hears everything from then on, in order', () => {
  const live = createLive()
  const [early, late]: number[][] = [[], []]
  live.publish(event(1))
  live.listen(({ id }) => void early!.push(id))
  live.publish(event(2))
  live.listen(({ id }) => void late!.push(id))
  live.publish(event(3))
  expect([early, late]).toEqual([[2, 3], [3]])
})

test('who stops hears nothing more, also when it stops while it hears', () => {
  const live = createLive()
  const heard: number[] = []
  const stop = live.listen(({ id }) => {
    heard.push(id)
    stop()
  })
  const others: number[] = []
  live.listen(({ id }) => void others.push(id))
  live.publish(event(1))
  live.publish(event(2))
  stop()
  expect([heard, others]).toEqual([[1], [1, 2]])
})

test('when it closes, who listens is told, unless it stopped before', () => {
  const live = createLive()
  const ended: string[] = []
  live.listen(
    () => {},
    () => void ended.push('open'),
  )
  live.listen(
    () => {},
    () => void ended.push('stopped'),
  )()
  live.listen(() => {})
  live.close()
  expect(ended).toEqual(['open'])
})

test('worlds do not hear one another', () => {
  const [blue, red] = [createLive(), createLive()]
  red.listen(() => expect.unreachable('an event of another world'))
  blue.publish(event(1))
})

test('a thousand open streams are no reason for a warning', () => {
  const live = createLive()
  const warned: Error[] = []
  const hear = (warning: Error) => void warned.push(warning)
  process.on('warning', hear)
  const stops = Array.from({ length: 1000 }, () => live.listen(() => {}))
  for (const stop of stops) stop()
  process.off('warning', hear)
  expect(warned).toEqual([])
})
