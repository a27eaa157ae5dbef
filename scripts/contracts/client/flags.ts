import { type ParseArgsConfig, parseArgs } from 'node:util'
import { CannotRun } from './cannot-run.ts'

/** Parses flags; an unknown one is reported with a hint at `--help`. */
export function readFlags<const T extends NonNullable<ParseArgsConfig['options']>>(argv: readonly string[], options: T) {
  try {
    return parseArgs({ args: [...argv], options, strict: true }).values
  } catch (error) {
    throw new CannotRun(`${(error as Error).message.split('. ', 1)[0]}; --help tells what there is`)
  }
}

export function addressIn(flag: string, text: string | undefined): URL {
  if (text === undefined) throw new CannotRun(`${flag} is missing; --help tells what there is`)
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) throw new CannotRun(`${flag} ${text} is no address such as https://api.tracker.example`)
  return url
}

export const baseOf = ({ origin, pathname }: URL) => (origin + pathname).replace(/\/+$/, '')
