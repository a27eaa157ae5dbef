import { BlockList, isIP } from 'node:net'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

/** Whether a host name or address means this very machine. */
export function isLoopback(host: string) {
  const address = host.replace(/^\[|\]$/g, '')
  const family = isIP(address)
  return family === 0 ? address === 'localhost' : loopback.check(address, family === 4 ? 'ipv4' : 'ipv6')
}
