import { afterEach, expect, test } from 'vitest'
import { startRecording, takeCalls } from './calls.ts'
import { markFunctions } from './mark-functions.ts'

const SOURCE = `class Base { constructor(value) { this.value = value } }
class Point extends Base {
  constructor() { super(3) }
  get double() { return 2 * this.value }
}
const pair = (a) => (b) => ({ a, b })
function* count() { yield 1; yield 2 }
const late = async () => [...count()]
function never() { return pair }
globalThis.made = Promise.all([pair(1)(2), new Point().double, late()])
`

const usual = { recorded: globalThis.__recordedCalls, open: globalThis.__openCalls }
afterEach(() => {
  globalThis.__recordedCalls = usual.recorded
  globalThis.__openCalls = usual.open
})

test('marked code does the same as before, and its calls are recorded by function', async () => {
  globalThis.__recordedCalls = undefined
  startRecording()
  new Function(markFunctions('some.ts', SOURCE))()
  expect(await Reflect.get(globalThis, 'made')).toEqual([{ a: 1, b: 2 }, 6, [1, 2]])
  // All but `never`, the last.
  expect(takeCalls()).toEqual({ 'some.ts': [0, 1, 2, 3, 4, 5, 6] })
  expect(takeCalls()).toEqual({})
})

test('marked code runs without a recording', () => {
  globalThis.__openCalls = undefined
  expect(() => new Function(markFunctions('some.ts', SOURCE))()).not.toThrow()
})

test('marks leave the lines of a file as they are', () => {
  expect(markFunctions('some.ts', SOURCE).split('\n')).toHaveLength(SOURCE.split('\n').length)
})
