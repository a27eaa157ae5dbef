import type { Contract } from '#contracts/lib/route.ts'

/** The paths of the control plane's lists, by the name of their contract. */
export const buildControlLinks = (contracts: Record<string, Contract>) =>
  Object.fromEntries([
    ...Object.entries(contracts).flatMap(([noun, contract]) =>
      Object.entries(contract).flatMap(([name, { method, path }]) =>
        method === 'GET' && !path.includes(':') ? [[`${noun}.${name}`, path] as const] : [],
      ),
    ),
    ['mailbox', '/mock/mailbox'],
    ['docs', '/docs'],
    ['control_docs', '/mock/docs'],
    ['openapi', '/mock/openapi.json'],
  ])
