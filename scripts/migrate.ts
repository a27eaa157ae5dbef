import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { migrate, openSqlite } from '#db/sqlite/open.ts'
import { readConfig } from '#server/config.ts'
import { DATABASE_FILENAME } from '#server/http/process.ts'

const { DATA_DIR } = readConfig(process.env)
mkdirSync(DATA_DIR, { recursive: true })
const file = path.join(DATA_DIR, DATABASE_FILENAME)
const db = openSqlite(file)
migrate(db)
db.close()
console.log(`${file} is at the newest schema`)
