import { defineConfig } from 'drizzle-kit'

export default defineConfig({ dialect: 'sqlite', casing: 'snake_case', schema: './db/tables/*.ts', out: './db/migrations' })
