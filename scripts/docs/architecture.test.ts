import { expect, test } from 'vitest'
import { checkArchitecture, drawArchitecture } from './architecture.ts'

const CODE = {
  'web/app/app.ts': "import '#web/places/place.ts'\nimport '#web/lib/clock.ts'\n",
  'web/places/place.ts': "import '#web/lib/clock.ts'\nimport '#contracts/places.ts'\n",
  'web/lib/clock.ts': "import type { Now } from '#contracts/places.ts'\n",
  'contracts/places.ts': "export * from '#contracts/rules/place.ts'\n",
  'contracts/rules/place.ts': '',
}
const arrowsOf = (code: Record<string, string>) =>
  drawArchitecture(new Map(Object.entries(code)))
    .split('\n')
    .filter((line) => line.includes('>') && !line.includes('"'))
    .map((line) => line.trim())

test('the drawing has an arrow for each import between rooms that no other arrows imply', () => {
  expect(arrowsOf(CODE)).toEqual(['app --> screens', 'screens --> lib', 'lib --> contracts', 'contracts --> rules'])
})

test('an import that leads up is dotted', () => {
  expect(arrowsOf({ ...CODE, 'web/lib/clock.ts': "import '#web/places/place.ts'\n" })).toContain('lib -.-> screens')
})

test('a drawing that differs from the imports fails the check', () => {
  const files = new Map(Object.entries(CODE))
  const document = `# Architecture\n\n\`\`\`mermaid\n${drawArchitecture(files)}\`\`\`\n`
  const problemsWith = (more: Record<string, string | undefined>) =>
    checkArchitecture(new Map([...files, ...(Object.entries(more) as [string, string][])])).problems
  expect(problemsWith({ 'docs/architecture.md': document })).toEqual([])
  for (const more of [
    {},
    { 'docs/architecture.md': '' },
    { 'docs/architecture.md': document, 'web/lib/more.ts': "import '#web/app/app.ts'\n" },
  ])
    expect(problemsWith(more)).toEqual([expect.stringContaining('npm run architecture')])
})
