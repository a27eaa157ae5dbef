import { expect, test } from 'vitest'
import { shareUrl } from './share-url.ts'

test('R-2.56 a public share link is the origin plus /pub/trackers with the uuid as token', () => {
  const uuid = '00000000-0000-4000-8000-000000000001'
  expect(shareUrl('https://portal.example', uuid)).toBe(`https://portal.example/pub/trackers?token=${uuid}`)
})
