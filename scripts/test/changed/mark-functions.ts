import path from 'node:path'
import type { Plugin } from 'vite'
import { isCode } from '#scripts/check/files.ts'
import { parseUnits } from './parse-units.ts'

/** Tests select themselves, and mocks are moved above everything else of their file. */
const isMarked = (file: string, text: string) =>
  isCode(file) && !/\.test\.tsx?$/.test(file) && !text.includes('vi.mock(') && !file.startsWith('scripts/test/changed/')

/** Adds to each function an assignment that records its call. Lines stay as they are. */
export function markFunctions(file: string, text: string) {
  const { functions } = parseUnits(file, text)
  const inserts = functions.flatMap(({ marks: [start, end] }, index) =>
    end === undefined
      ? [{ at: start, text: `__calls[${index}]=1;`, order: 0 }]
      : [
          { at: start, text: `(__calls[${index}]=1,`, order: 0 },
          { at: end, text: ')', order: -1 },
        ],
  )
  // Where one function ends at the place at which another begins, the end comes first.
  inserts.sort((a, b) => a.at - b.at || a.order - b.order)
  let at = 0
  const parts = inserts.map((insert) => {
    const before = text.slice(at, insert.at)
    at = insert.at
    return before + insert.text
  })
  return `const __calls=globalThis.__openCalls?.(${JSON.stringify(file)},${functions.length})??new Uint8Array(${functions.length});${parts.join('')}${text.slice(at)}`
}

/** For a run that records which functions each test file calls. */
export const recordCalls = (): Plugin => ({
  name: 'record-calls',
  enforce: 'pre',
  transform(text, id) {
    const file = path.relative(process.cwd(), id.replace(/\?.*$/, '')).replaceAll(path.sep, '/')
    return !id.includes('?') && isMarked(file, text) ? { code: markFunctions(file, text), map: null } : undefined
  },
})
