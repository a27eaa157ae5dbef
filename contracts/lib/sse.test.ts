import fc from 'fast-check'
import { expect, test } from 'vitest'
import { collectFailures } from '#server/test/collect-failures.ts'
import { createEventParser, type StreamEvent } from './sse.ts'

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

test('the parser handles unusual lines as the event stream standard says', async () => {
  expect(
    await collectFailures<[string, string, StreamEvent[]]>(
      [
        ['lines that end with a single carriage return', 'data: a\r\rdata: b', [{ id: null, type: 'message', data: 'a' }]],
        ['a missing space after the colon', 'data:x\n\n', [{ id: null, type: 'message', data: 'x' }]],
        ['two spaces after the colon, of which one is data', 'data:  x\n\n', [{ id: null, type: 'message', data: ' x' }]],
        ['colons in the data', 'data: a:b:c\n\n', [{ id: null, type: 'message', data: 'a:b:c' }]],
        ['a field without a value', 'data\n\n', [{ id: null, type: 'message', data: '' }]],
        ['an unknown field', 'retry: 5\ndata: x\n\n', [{ id: null, type: 'message', data: 'x' }]],
        ['an id without data, which is no event', 'id: 4\n\n', []],
        ['empty lines, which are no events', '\n\n\n\n', []],
      ],
      JSON.stringify,
      ([, text, events]) => {
        expect(createEventParser()(text)).toEqual(events)
      },
    ),
  ).toEqual([])
})

test('name and id apply to their own event only', () => {
  expect(createEventParser()('id: 1\nevent: mode\ndata: a\n\ndata: b\n\n')).toEqual([
    { id: '1', type: 'mode', data: 'a' },
    { id: null, type: 'message', data: 'b' },
  ])
})
