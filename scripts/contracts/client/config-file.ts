import { existsSync, readFileSync } from 'node:fs'
import { ConfigError, parseConfig } from '#web/lib/config.ts'
import type { Auth } from './auth.ts'
import { CannotRun, saveFile } from './io.ts'

export type Discovered = { apiBaseUrl: string; features: string[]; auth: Auth }

/** Reads the fields that are already in a configuration; none if there is no such file. */
export function readConfigFile(file: string | undefined): Record<string, unknown> {
  if (file === undefined || !existsSync(file)) return {}
  try {
    const fields: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (typeof fields === 'object' && fields !== null && !Array.isArray(fields)) return { ...fields }
  } catch {}
  throw new CannotRun(`--write-config ${file} is not a configuration: inspect it, then delete it`)
}

/** Writes the discovered fields and keeps the others; returns what the portal still needs in the file. */
export function writeConfigFile(file: string, fields: Record<string, unknown>, discovered: Discovered): string[] {
  const config = { ...fields, ...discovered }
  saveFile(file, `${JSON.stringify(config, null, 2)}\n`)
  try {
    parseConfig(config)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.faults.map(({ field, reason }) => `${field} is ${reason}`)
    throw error
  }
}
