import { expect, test } from 'vitest'
import { parseUnits } from './parse-units.ts'

const hashes = (text: string) => {
  const { functions, statements } = parseUnits('some.tsx', text)
  return { functions: functions.map(({ hash }) => hash), statements: statements.map(({ hash }) => hash) }
}

const SOURCE = `import { limit } from './limits.ts'

export const table = { find: (id: number) => id + limit }

export function read(text: string): number {
  const parse = () => Number(text)
  return parse()
}
`

test('comments, types and layout do not change a unit', () => {
  const other = SOURCE.replace('id: number', 'id: bigint').replace('return parse()', '// The number.\n\n  return parse() as number')
  expect(hashes(other)).toEqual(hashes(SOURCE))
})

test('a change inside a function changes the innermost function only', () => {
  const { functions, statements } = hashes(SOURCE)
  const changed = hashes(SOURCE.replace('Number(text)', 'Number(text + 1)'))
  expect(changed.statements).toEqual(statements)
  expect(changed.functions.map((hash, index) => hash === functions[index])).toEqual([true, true, false])
})

test('a statement of functions alone is plain, data is not', () => {
  const { statements } = parseUnits('some.ts', `${SOURCE}const MOST = 5\nexport const double = (n: number) => 2 * n\n`)
  expect(statements.map(({ declares, isPlain }) => [declares, isPlain])).toEqual([
    [['table'], false],
    [['read'], true],
    [['MOST'], false],
    [['double'], true],
  ])
})

test('names of properties are no names that a unit reads', () => {
  const { functions } = parseUnits('some.ts', 'export const f = (a: { limit: number }) => ({ limit: a.limit, other, [key]: 1 })')
  expect([...functions[0]!.names].sort()).toEqual(['a', 'key', 'other'])
})

test('imports of types are left out', () => {
  const { imports } = parseUnits(
    'some.ts',
    "import type { A } from './a.ts'\nimport { type B, c as d } from './b.ts'\nexport * from './e.ts'\n",
  )
  expect(imports).toEqual([
    { from: './b.ts', isExport: false, names: [{ imported: 'c', local: 'd' }] },
    { from: './e.ts', isExport: true, names: [{ imported: '*', local: '*' }] },
  ])
})

test('a module with a cache or a variable has a memory', () => {
  const has = (text: string) => parseUnits('some.ts', text).hasMemory
  expect([has('let current = 1'), has('const known = new Map()'), has('export const a = 1'), has('const f = () => new Map()')]).toEqual([
    true,
    true,
    false,
    false,
  ])
})
