import { createRoot } from 'react-dom/client'
import * as z from 'zod/mini'
import { log } from '#web/lib/log.ts'
import { startApp } from './app.tsx'

// Compiled parsers need eval, which the content security policy forbids.
z.config({ jitless: true })

startApp().then(
  (app) => createRoot(document.getElementById('root')!).render(app),
  (error: unknown) => {
    log.failure('The portal could not start', error)
    document.getElementById('unloaded')?.removeAttribute('hidden')
  },
)
