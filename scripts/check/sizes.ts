import { countLines, type Files, isCode, isSource, selectFiles } from './files.ts'
import type { Finding } from './runner.ts'

export const LIMITS = {
  linesOfFile: 300,
  /** Counts the folders between a file and its top-level folder. */
  depth: 3,
  filesOfFolder: 20,
  crowdedFolders: 3,
  sourceFiles: 1330,
  testRatio: 0.8,
}

const sumLines = (texts: [string, string][]) => texts.reduce((sum, [, text]) => sum + countLines(text), 0)

const findCrowdedFolders = (paths: string[], limit: number) => {
  const counts = new Map<string, number>()
  for (const path of paths) {
    const folder = path.slice(0, path.lastIndexOf('/'))
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts].filter(([, count]) => count > limit).sort(([, a], [, b]) => b - a)
}

export const checkSizes = (files: Files, limits = LIMITS): Finding => {
  const code = selectFiles(files, isCode)
  const source = code.filter(([path]) => isSource(path))
  const sourceLines = sumLines(source)
  const testLines = sumLines(code) - sourceLines
  const ratio = sourceLines === 0 ? 0 : testLines / sourceLines
  const crowded = findCrowdedFolders(
    [...files.keys()].filter((path) => isCode(path) || path.endsWith('.css')),
    limits.filesOfFolder,
  )
  return {
    fileCount: code.length,
    problems: [
      ...source
        .filter(([, text]) => countLines(text) > limits.linesOfFile)
        .map(([path, text]) => `${path} has ${countLines(text)} lines, at most ${limits.linesOfFile} allowed: split it by subject`),
      ...code
        .filter(([path]) => path.split('/').length - 2 > limits.depth)
        .map(([path]) => `${path} is more than ${limits.depth} folders below its top-level one: flatten the folders`),
      ...(crowded.length > limits.crowdedFolders
        ? crowded.map(([folder, count]) => `${folder} has ${count} files, more than ${limits.filesOfFolder}: divide it by subject`)
        : []),
      ...(source.length > limits.sourceFiles
        ? [`there are ${source.length} source files, at most ${limits.sourceFiles} allowed: merge small files into their only importer`]
        : []),
      ...(ratio < limits.testRatio
        ? [`${testLines} lines of tests for ${sourceLines} of source is ${ratio.toFixed(2)}, at least ${limits.testRatio} required`]
        : []),
    ],
    remark: `${source.length} source files, ${crowded.length} folders over ${limits.filesOfFolder}, tests/source ${ratio.toFixed(2)}`,
  }
}
