import { defineConfig } from 'drizzle-kit'

export default defineConfig({ dialect: 'sqlite', casing: 'snake_case', schema: './db/schema/!(*.test).ts', out: './db/migrations' })
