import { isCode, isTest, matches, withoutComments } from './code.ts'
import { type Files, type Finding, pick } from './finding.ts'

type Import = { from: string; to: string }

const IMPORT = /\b(?:from|import|import\()\s*['"]([^'"$]+)['"]/g

const feature = (path: string) => path.match(/^#?web\/(?!lib\/|ui\/|layouts\/)([^/]+)\/.*-screen\.tsx$/)?.[1]

/** `server/<resource>/…`, where a resource is a folder with a store of its own: not lib, not mock. */
const resource = (path: string) => path.match(/^#?server\/(?!lib\/|mock\/)([^/]+)\//)?.[1]

const isStore = (path: string) => /\.store\.ts$/.test(path)

/** The arrows that depend on both ends, which a pattern on the import alone (biome.json) cannot express. */
const RULES: { broken: (edge: Import) => boolean; why: string }[] = [
  {
    broken: ({ to }) => /^\.\/.*\//.test(to) || to.startsWith('..'),
    why: 'a file of another folder is imported as #top/folder/file.ts',
  },
  {
    broken: ({ from, to }) => to.startsWith('#') && to.slice(1, to.lastIndexOf('/')) === from.slice(0, from.lastIndexOf('/')),
    why: 'a file of the same folder is imported as ./file.ts',
  },
  {
    broken: ({ from, to }) => {
      const other = feature(to)
      return feature(from) !== undefined && other !== undefined && other !== feature(from)
    },
    why: 'a feature never imports another: move what both need down to web/ui, web/lib or contracts/',
  },
  {
    broken: ({ from, to }) => {
      const other = resource(to)
      return /\.handlers\.ts$/.test(from) && isStore(to) && resource(from) !== undefined && other !== undefined && other !== resource(from)
    },
    why: 'handlers ask their own store only: let the other resource offer what you need, or move the question into your store',
  },
  {
    broken: ({ from, to }) => /\.(store|present)\.ts$/.test(from) && /\.handlers\.ts$/.test(to),
    why: 'handlers call store and present, never the other way round',
  },
  {
    broken: ({ from, to }) => !from.startsWith('scripts/') && isTest(to.replace(/^#/, '')),
    why: 'this serves tests only: what the product needs too lives outside of test files',
  },
  {
    broken: ({ from, to }) => from.startsWith('web/') && /^#web\/app\/(routes|main)\.tsx$/.test(to),
    why: 'the route table imports features, never the other way round',
  },
]

/** Who may import whom (design.md §2). Tests may import anything, in the same two spellings. */
export const imports = (files: Files): Finding => {
  const code = pick(files, isCode)
  const problems = code.flatMap(([path, text]) =>
    matches(withoutComments(text), IMPORT).flatMap(({ line, match }) => {
      const edge = { from: path, to: match[1] ?? '' }
      const rules = isTest(path) ? RULES.slice(0, 2) : RULES
      return rules.filter((rule) => rule.broken(edge)).map((rule) => `${path}:${line} imports ${edge.to}: ${rule.why}`)
    }),
  )
  return { looked: code.length, problems }
}
