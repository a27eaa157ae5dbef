import { expect, test } from 'vitest'
import { enterGate, runInTurn } from './fair-gate.ts'

test('an account runs one costly request at a time, two wait in order, and a fourth is refused until one has finished', async () => {
  const owner = {}
  const order: string[] = []
  const enter = (name: string) => {
    const place = enterGate(owner, 'a')
    void place.entered.then(() => order.push(name))
    return place
  }
  const [first, second, third] = [enter('first'), enter('second'), enter('third')]
  expect(() => enterGate(owner, 'a')).toThrow(expect.objectContaining({ code: 'account_busy', retryAfter: 10 }))
  await first.entered
  expect(order).toEqual(['first'])
  first.leave()
  await second.entered
  const fourth = enter('fourth')
  second.leave()
  await third.entered
  third.leave()
  await fourth.entered
  expect(order).toEqual(['first', 'second', 'third', 'fourth'])
})

test('a full queue of one account does not delay other accounts', async () => {
  const owner = {}
  for (let nth = 0; nth < 3; nth++) enterGate(owner, 'a')
  await enterGate(owner, 'b').entered
})

test('a request that gives up while waiting frees its place, and the others keep their order', async () => {
  const owner = {}
  const [first, second, third] = [enterGate(owner, 'a'), enterGate(owner, 'a'), enterGate(owner, 'a')]
  second.leave()
  const fourth = enterGate(owner, 'a')
  first.leave()
  await third.entered
  third.leave()
  await fourth.entered
})

test('a request that leaves twice admits only one other', async () => {
  const owner = {}
  const [first, second, third] = [enterGate(owner, 'a'), enterGate(owner, 'a'), enterGate(owner, 'a')]
  first.leave()
  first.leave()
  await second.entered
  expect(await Promise.race([third.entered.then(() => 'in'), Promise.resolve().then(() => 'waits')])).toBe('waits')
})

test('background work of one kind waits without a limit', async () => {
  const owner = {}
  const results = await Promise.all(Array.from({ length: 10 }, (_, nth) => runInTurn(owner, 'mail', async () => nth)))
  expect(results).toHaveLength(10)
})
