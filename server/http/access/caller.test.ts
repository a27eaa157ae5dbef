import { describe, expect, test } from 'vitest'
import { describeAgent, findNetwork } from './caller.ts'

const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36'

describe('the browser of a request', () => {
  test.each([
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME}`, 'Chrome, Windows'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Edg/131.0`, 'Edge, Windows'],
    [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${CHROME}`, 'Chrome, ChromeOS'],
    [`Mozilla/5.0 (Linux; Android 10; K) ${CHROME}`, 'Chrome, Android'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.1 Safari/605.1.15', 'Safari, macOS'],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 CriOS/131.0 Mobile Safari/604.1', 'Chrome, iOS'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0', 'Firefox, Linux'],
    ['curl/8.5.0', 'curl'],
    ['<script>', null],
    [undefined, null],
  ])('%s is shown as %s', (userAgent, shown) => {
    expect(describeAgent(userAgent)).toBe(shown)
  })
})

describe('the network of an address', () => {
  test.each([
    ['203.0.113.77', '203.0.113.0/24'],
    ['::ffff:203.0.113.77', '203.0.113.0/24'],
    ['2001:db8:aa:bb::1', '2001:db8:aa::/48'],
    ['2001:db8::1', '2001:db8::/48'],
    ['2001:db8:0:1:2:3:4:5', '2001:db8::/48'],
    ['::1', '::/48'],
    ['', null],
  ])('the address %s belongs to the network %s', (address, network) => {
    expect(findNetwork(address)).toBe(network)
  })
})
