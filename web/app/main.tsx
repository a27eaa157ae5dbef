import { createRoot } from 'react-dom/client'
import * as z from 'zod/mini'
import { reloadAfterLoss } from '#web/app/start/reload.ts'
import { isChunkFailure } from '#web/lib/chunk.ts'
import { log } from '#web/lib/log.ts'
import { rootOptions, startApp } from './app.tsx'

// zod's compiled parsers need eval, which the content security policy forbids.
z.config({ jitless: true })

const registerWorker = () =>
  import('#web/app/update/register-worker.ts').then(
    (module) => module.registerWorker(),
    () => undefined,
  )

startApp().then(
  (app) => {
    createRoot(document.getElementById('root')!, rootOptions).render(app)
    // The service worker only matters on the next visit, so it must not compete with the first data; a slow start indicates a slow
    // connection.
    if (import.meta.env.PROD) setTimeout(registerWorker, Math.max(3000, performance.now()))
  },
  (error: unknown) => {
    if (isChunkFailure(error) && reloadAfterLoss()) return
    log.failure('The portal could not start', error)
    document.getElementById('unloaded')?.removeAttribute('hidden')
  },
)
