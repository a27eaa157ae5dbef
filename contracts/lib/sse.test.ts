import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEventParser } from './sse.ts'

const STREAM = ': hello\n\nid: 7\nevent: position\ndata: {"device":1}\n\nevent: mode\ndata: a\ndata: b\n\nid: 9\r\ndata:x\r\n\r\n'
const EVENTS = [
  { id: '7', type: 'position', data: '{"device":1}' },
  { id: null, type: 'mode', data: 'a\nb' },
  { id: '9', type: 'message', data: 'x' },
]

test('events are complete wherever the stream is split into chunks', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(STREAM.length), { maxLength: 12 }), (cuts) => {
      const parse = createEventParser()
      const at = [0, ...cuts.toSorted((a, b) => a - b), STREAM.length]
      const events = at.flatMap((from, index) => parse(STREAM.slice(from, at[index + 1] ?? from)))
      expect(events).toEqual(EVENTS)
    }),
  )
})

test('a comment yields no event', () => {
  expect(createEventParser()(': ping\n\n')).toEqual([])
})

test('an event is yielded only once it is complete', () => {
  const parse = createEventParser()
  expect(parse('data: half\n')).toEqual([])
  expect(parse('\n')).toEqual([{ id: null, type: 'message', data: 'half' }])
})
