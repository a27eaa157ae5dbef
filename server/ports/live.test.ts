import { expect, test } from 'vitest'
import { createLive, type LiveEvent } from './live.ts'

const event = (id: number): LiveEvent => ({ id, accountId: 1, deviceId: 7, type: 'position', data: '{}' })

test('every listener gets all later events in order', () => {
  const live = createLive()
  const [early, late]: number[][] = [[], []]
  live.publish(event(1))
  live.subscribe(({ id }) => void early!.push(id))
  live.publish(event(2))
  live.subscribe(({ id }) => void late!.push(id))
  live.publish(event(3))
  expect([early, late]).toEqual([[2, 3], [3]])
})

test('a listener that stops gets nothing more, even when it stops during an event', () => {
  const live = createLive()
  const heard: number[] = []
  const stop = live.subscribe(({ id }) => {
    heard.push(id)
    stop()
  })
  const others: number[] = []
  live.subscribe(({ id }) => void others.push(id))
  live.publish(event(1))
  live.publish(event(2))
  stop()
  expect([heard, others]).toEqual([[1], [1, 2]])
})

test('closing notifies the listeners that have not stopped', () => {
  const live = createLive()
  const ended: string[] = []
  live.subscribe(
    () => {},
    () => void ended.push('open'),
  )
  live.subscribe(
    () => {},
    () => void ended.push('stopped'),
  )()
  live.subscribe(() => {})
  live.close()
  expect(ended).toEqual(['open'])
})

test('events of one world do not reach listeners of another', () => {
  const [blue, red] = [createLive(), createLive()]
  red.subscribe(() => expect.unreachable('an event of another world'))
  blue.publish(event(1))
})

test('a thousand open streams cause no warning', () => {
  const live = createLive()
  const warned: Error[] = []
  const hear = (warning: Error) => void warned.push(warning)
  process.on('warning', hear)
  const stops = Array.from({ length: 1000 }, () => live.subscribe(() => {}))
  for (const stop of stops) stop()
  process.off('warning', hear)
  expect(warned).toEqual([])
})
