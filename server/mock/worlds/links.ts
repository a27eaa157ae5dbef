import type { Contract } from '#contracts/lib/route.ts'

/** Where the lists of the control plane are, by the name of their contract. */
export const linksOf = (contracts: Record<string, Contract>) =>
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
