import { runCli } from './main.ts'
import { createSystemPorts } from './system.ts'

process.exitCode = await runCli(process.argv.slice(2), createSystemPorts())
