/**
 * `npm run dev`: the server and the portal, both reloaded when their files change. Each takes the port that `PORT` or `WEB_PORT` names, or
 * the first free one from 8080 and 5173 on, so that several checkouts run side by side.
 */
import { createServer } from 'node:net'
import concurrently from 'concurrently'

const HOST = '127.0.0.1'

const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const probe = createServer().once('error', () => resolve(false))
    probe.listen(port, HOST, () => probe.close(() => resolve(true)))
  })

async function findPort(from: number) {
  let port = from
  while (!(await isFree(port))) port++
  return String(port)
}

const PORT = process.env.PORT || (await findPort(8080))
const WEB_PORT = process.env.WEB_PORT || (await findPort(5173))
// Links in mails and checkouts lead to the development portal.
const env = { ...process.env, PORT, WEB_PORT, PORTAL_ORIGIN: process.env.PORTAL_ORIGIN ?? `http://localhost:${WEB_PORT}` }

const { result } = concurrently(
  [
    { name: 'api', command: 'tsx watch --clear-screen=false server/mock/main.ts', env },
    { name: 'web', command: 'vite', env },
  ],
  { killOthersOn: ['failure', 'success'] },
)
await result.catch(() => {
  process.exitCode = 1
})
