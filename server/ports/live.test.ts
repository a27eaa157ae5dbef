import { expect, test } from 'vitest'
import type { LiveEvent } from '#db/db.ts'
import { createStreams } from './live.ts'

const event = (id: number, accountId = 1): LiveEvent => ({ id, accountId, deviceId: 7, type: 'position', data: '{}' })

test('every listener gets all later events in order', () => {
  const streams = createStreams()
  const [early, late]: number[][] = [[], []]
  streams.publish(event(1))
  streams.subscribe(({ id }) => void early!.push(id))
  streams.publish(event(2))
  streams.subscribe(({ id }) => void late!.push(id))
  streams.publish(event(3))
  expect([early, late]).toEqual([[2, 3], [3]])
})

test('an event is passed to the listeners of its account and of all accounts only', () => {
  const streams = createStreams()
  const heard: string[] = []
  const open = (accountId: number | null) => streams.subscribe(({ id }) => void heard.push(`${accountId} ${id}`), undefined, '', accountId)
  const stops = [1, 2, 2, null].map(open)
  streams.publish(event(1, 1))
  streams.publish(event(2, 2))
  streams.publish(event(3, 3))
  expect(heard).toEqual(['1 1', 'null 1', '2 2', '2 2', 'null 2', 'null 3'])
  expect([1, 2, 3, null].map(streams.countStreamsOf)).toEqual([1, 2, 0, 1])
  for (const stop of stops) stop()
  expect([1, 2, null].map(streams.countStreamsOf)).toEqual([0, 0, 0])
})

test('a listener that stops gets nothing more, even when it stops during an event', () => {
  const streams = createStreams()
  const heard: number[] = []
  const stop = streams.subscribe(({ id }) => {
    heard.push(id)
    stop()
  })
  const others: number[] = []
  streams.subscribe(({ id }) => void others.push(id))
  streams.publish(event(1))
  streams.publish(event(2))
  stop()
  expect([heard, others]).toEqual([[1], [1, 2]])
})

test('closing notifies the listeners that have not stopped', () => {
  const streams = createStreams()
  const ended: string[] = []
  streams.subscribe(
    () => {},
    () => void ended.push('open'),
  )
  streams.subscribe(
    () => {},
    () => void ended.push('stopped'),
  )()
  streams.subscribe(() => {})
  streams.close()
  expect(ended).toEqual(['open'])
})

test('a thousand open streams cause no warning', () => {
  const streams = createStreams()
  const warned: Error[] = []
  const hear = (warning: Error) => void warned.push(warning)
  process.on('warning', hear)
  const stops = Array.from({ length: 1000 }, () => streams.subscribe(() => {}))
  for (const stop of stops) stop()
  process.off('warning', hear)
  expect(warned).toEqual([])
})
