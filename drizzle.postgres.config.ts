import { defineConfig } from 'drizzle-kit'
import { usePostgres } from './db/engine.ts'

usePostgres()

export default defineConfig({
  dialect: 'postgresql',
  casing: 'snake_case',
  schema: './db/schema/!(*.test).ts',
  out: './db/postgres/migrations',
})
