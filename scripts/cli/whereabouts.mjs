#!/usr/bin/env node
import { register } from 'tsx/esm/api'

register()
const { run } = await import('./main.ts')
const { system } = await import('./system.ts')
process.exitCode = await run(process.argv.slice(2), system())
