import { readConfig } from '#server/config.ts'
import type { Command } from './command.ts'
import type { Field } from './fields.ts'
import { UsageError } from './usage-error.ts'

const text = (name: string): Field => ({ name, part: 'query', path: [name], kind: 'text', isList: false, isRequired: false, choices: [] })

const VARIABLES = { port: 'PORT', host: 'HOST', data: 'DATA_DIR', anchor: 'SEED_ANCHOR' } as const

/** Starts the local stack as `npm start` does and runs until it is stopped. */
export const up: Command = {
  words: 'up',
  about: 'Starts the local stack, prepared as `npm start` does, and stays until it is stopped',
  fields: Object.keys(VARIABLES).map(text),
  args: [],
  example: 'up --port 8090 --data /tmp/another',
  async run({ query }, { io }) {
    const given = Object.entries(VARIABLES).filter(([name]) => query[name] !== undefined)
    const env = Object.fromEntries(given.map(([name, variable]) => [variable, String(query[name])]))
    demandUsable(env)
    const prepared = await io.start(['scripts/setup.mjs', 'start'], env)
    const code = prepared === 0 ? await io.start(['dist/server/mock.js'], env) : prepared
    return { data: { code }, text: '', code }
  },
}

/** Rejects a bad configuration before anything is installed or built. */
function demandUsable(env: Record<string, string>) {
  try {
    readConfig(env)
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}
