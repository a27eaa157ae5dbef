import { inject } from 'vitest'
import { usePostgres } from '#db/engine.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
  }
}

usePostgres()
process.env.DATABASE_URL = inject('postgresUrl')
