#!/usr/bin/env node
import { register } from 'tsx/esm/api'

register()
const { runCli } = await import('./main.ts')
const { createSystemPorts } = await import('./system.ts')
process.exitCode = await runCli(process.argv.slice(2), createSystemPorts())
