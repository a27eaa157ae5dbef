import { afterEach, beforeEach, expect, test } from 'vitest'
import { recordAsStart, recordEndpoint, startRecording, takeCalls, takeShared } from './calls.ts'

const usual = { recorded: globalThis.__recordedCalls, open: globalThis.__openCalls }
let calls: Uint8Array = new Uint8Array()

beforeEach(() => {
  globalThis.__recordedCalls = undefined
  startRecording()
  calls = globalThis.__openCalls!('some.ts', 4)
})
afterEach(() => {
  globalThis.__recordedCalls = usual.recorded
  globalThis.__openCalls = usual.open
})

test('calls are taken once', () => {
  calls[1] = 1
  calls[3] = 1
  expect([takeCalls(), takeCalls()]).toEqual([{ 'some.ts': [1, 3] }, {}])
})

test('requests that overlap have the calls of their time, and the test has all', () => {
  const endFirst = recordEndpoint('places.create')
  calls[0] = 1
  const endSecond = recordEndpoint('tags.create')
  calls[1] = 1
  endFirst()
  calls[2] = 1
  endSecond()
  expect(takeShared().endpoints).toEqual({ 'places.create': { 'some.ts': [0, 1] }, 'tags.create': { 'some.ts': [1, 2] } })
  expect(takeCalls()).toEqual({ 'some.ts': [0, 1, 2] })
})

test('what builds a server for several tests does not count for the first of them', async () => {
  calls[0] = 1
  await recordAsStart(async () => {
    calls[0] = 1
    calls[1] = 1
  })
  calls[2] = 1
  expect(takeCalls()).toEqual({ 'some.ts': [0, 2] })
  expect(takeShared().starting).toEqual({ 'some.ts': [0, 1] })
})
