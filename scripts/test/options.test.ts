import { expect, test } from 'vitest'
import { readTestOptions } from './options.ts'

test('--changed compares with the newest commit, or with the one that it names, and records the tests that it runs', () => {
  expect([[], ['--record'], ['--changed'], ['--changed=main~3']].map(readTestOptions)).toEqual([
    {},
    { isRecorded: true },
    { changedSince: 'HEAD', isRecorded: true },
    { changedSince: 'main~3', isRecorded: true },
  ])
})

test('other options are refused, so that none is lost without a word', () => {
  for (const args of [['--change'], ['web/links'], ['--changed='], ['--changed', 'main'], ['--record', '--changed']])
    expect(() => readTestOptions(args), args.join(' ')).toThrow('Usage')
})
