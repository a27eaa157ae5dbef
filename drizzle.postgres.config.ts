import { defineConfig } from 'drizzle-kit'
import { chooseEngine } from '#db/schema/engine.ts'

chooseEngine('postgres:')

export default defineConfig({
  dialect: 'postgresql',
  casing: 'snake_case',
  schema: './db/schema/!(*.test).ts',
  out: './db/postgres/migrations',
})
