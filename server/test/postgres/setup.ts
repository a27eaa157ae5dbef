import { inject } from 'vitest'
import { chooseEngine } from '#db/schema/engine.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
  }
}

process.env.DATABASE_URL = inject('postgresUrl')
chooseEngine(process.env.DATABASE_URL)
