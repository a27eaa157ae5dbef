import { isIPv6 } from 'node:net'

/** Returns the key under which an address is limited: an IPv6 user has 2^64 addresses, so their /64 network counts as one. */
export function networkKey(ip: string) {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (mapped || !isIPv6(ip)) return mapped ?? ip
  const [head = '', tail] = ip.split('::')
  const before = head ? head.split(':') : []
  const after = tail ? tail.split(':') : []
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - before.length - after.length }, () => '0')
  const network = [...before, ...zeros, ...after].slice(0, 4)
  return `${network.map((part) => Number.parseInt(part, 16).toString(16)).join(':')}::/64`
}
