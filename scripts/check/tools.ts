import { spawn } from 'node:child_process'
import { delimiter, resolve } from 'node:path'
import { type Files, isCode, selectFiles } from './files.ts'
import type { Finding } from './runner.ts'

export type ToolOutput = { status: number; output: string }

/** Runs a tool and collects its output; a tool that exceeds `limit` ms is killed. */
export const runTool = (name: string, args: string[], { limit = 900_000, cwd = '.' } = {}): Promise<ToolOutput> =>
  new Promise((done) => {
    const env = { ...process.env, PATH: `${resolve('node_modules/.bin')}${delimiter}${process.env.PATH ?? ''}`, NO_COLOR: '1' }
    const child = spawn(name, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: limit, shell: process.platform === 'win32' })
    let output = ''
    child.stdout.on('data', (part) => (output += part))
    child.stderr.on('data', (part) => (output += part))
    child.on('error', (error) => done({ status: 127, output: `${name}: ${error.message}` }))
    child.on('close', (status) => done({ status: status ?? 1, output }))
  })

export const parseProblems = ({ status, output }: ToolOutput) =>
  status === 0 ? [] : output.split('\n').filter((line) => line.trim() !== '')

/** `--listFiles` prints the files that were read; ours are those outside node_modules. */
export const checkTypes = async (): Promise<Finding> => {
  const result = await runTool('tsc', ['-p', '.', '--listFiles'])
  const isListed = (line: string) => /^\S+\.([cm]?tsx?|json)$/.test(line)
  const lines = result.output.split('\n')
  return {
    fileCount: lines.filter((line) => isListed(line) && !line.includes('node_modules')).length,
    problems: parseProblems({ ...result, output: lines.filter((line) => !isListed(line)).join('\n') }),
  }
}

export const checkLint = async (): Promise<Finding> => {
  const result = await runTool('biome', ['ci', '--max-diagnostics=50', '--colors=off', '.'])
  return { fileCount: Number(result.output.match(/Checked (\d+) files/)?.[1] ?? 0), problems: parseProblems(result) }
}

/** knip does not print how many files it read, so the code files are counted. */
export const checkUnused = async (files: Files): Promise<Finding> => ({
  fileCount: selectFiles(files, isCode).length,
  problems: parseProblems(await runTool('knip', ['--no-progress'])),
})

type Report = {
  metadata?: { vulnerabilities?: Record<string, number>; dependencies?: { prod?: number } }
  vulnerabilities?: Record<string, Advisory>
}
type Advisory = { name: string; severity: string }

const parseReport = (output: string): Report => {
  try {
    return JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1))
  } catch {
    return {}
  }
}

/** Parses the output of `npm audit --json`. The check is skipped when the registry is unreachable. */
export const parseAudit = (output: string): Finding => {
  const { metadata, vulnerabilities = {} } = parseReport(output)
  if (!metadata) return { fileCount: 0, problems: [], skipped: 'the registry is unreachable' }
  const severe = Object.values(vulnerabilities).filter(({ severity }) => severity === 'high' || severity === 'critical')
  return {
    fileCount: metadata.dependencies?.prod ?? 1,
    problems: severe.map(({ name, severity }) => `${name} has an advisory of severity ${severity}: see npm audit --omit=dev`),
  }
}

export const checkAudit = async (): Promise<Finding> =>
  parseAudit(
    (
      await runTool('npm', ['audit', '--json', '--audit-level=high', '--omit=dev', '--fetch-retries=0', '--fetch-timeout=15000'], {
        limit: 40_000,
      })
    ).output,
  )
