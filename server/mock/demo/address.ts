import { isIPv6 } from 'node:net'

/** Whoever has an address of IPv6 has 2^64 of them: their network counts as one. */
export function networkOf(ip: string) {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (mapped || !isIPv6(ip)) return mapped ?? ip
  const [head = '', tail] = ip.split('::')
  const before = head ? head.split(':') : []
  const after = tail ? tail.split(':') : []
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - before.length - after.length }, () => '0')
  const network = [...before, ...zeros, ...after].slice(0, 4)
  return `${network.map((part) => Number.parseInt(part, 16).toString(16)).join(':')}::/64`
}
