import { countLines, type Files, isCode, isSource, selectFiles } from './files.ts'
import { listImports } from './layers.ts'
import type { Finding } from './runner.ts'

export const LIMITS = {
  linesOfFile: 300,
  /** Counts the folders between a file and its top-level folder. */
  depth: 3,
  filesOfFolder: 20,
  crowdedFolders: 3,
  /** A source file below this may say less alone than beside its importer. */
  linesOfSplinter: 40,
  splinters: 10,
}

const folder = (path: string) => path.slice(0, path.lastIndexOf('/'))

/** Finds short files that a single file of the same folder imports. A file loaded with `import()` is a chunk of its own. */
const findSplinters = (files: Files, source: [path: string, text: string][], limit: number) => {
  const importers = new Map<string, ReturnType<typeof listImports>>()
  for (const edge of listImports(files)) importers.set(edge.to, [...(importers.get(edge.to) ?? []), edge])
  return source
    .filter(([, text]) => countLines(text) < limit)
    .flatMap(([path, text]) => {
      const [first, ...others] = importers.get(path) ?? []
      const isSplinter = first && !first.isDynamic && others.every(({ from }) => from === first.from) && folder(first.from) === folder(path)
      return isSplinter ? [{ path, lines: countLines(text), importer: first.from }] : []
    })
}

const findCrowdedFolders = (paths: string[], limit: number) => {
  const counts = new Map<string, number>()
  for (const path of paths) counts.set(folder(path), (counts.get(folder(path)) ?? 0) + 1)
  return [...counts].filter(([, count]) => count > limit).sort(([, a], [, b]) => b - a)
}

export const checkSizes = (files: Files, limits = LIMITS): Finding => {
  const code = selectFiles(files, isCode)
  const source = code.filter(([path]) => isSource(path))
  const splinters = findSplinters(files, source, limits.linesOfSplinter)
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
      ...(splinters.length > limits.splinters
        ? splinters.map(
            ({ path, lines, importer }) =>
              `${path} has ${lines} lines and is imported by ${importer} only, one of ${splinters.length} such files, at most ${limits.splinters} allowed: merge the two`,
          )
        : []),
    ],
    remark: `${crowded.length} folders over ${limits.filesOfFolder} files, ${splinters.length} splinters`,
  }
}
