#!/usr/bin/env node
import { existsSync } from 'node:fs'

// In a clone the sources run directly; the package contains compiled files.
if (existsSync(new URL('run.ts', import.meta.url))) {
  const { register } = await import('tsx/esm/api')
  register()
  await import('./run.ts')
} else await import(new URL('../../dist/package/cli.js', import.meta.url).href)
