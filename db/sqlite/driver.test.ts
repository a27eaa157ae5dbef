import { expect, test } from 'vitest'
import { describeFailure } from './driver.ts'

const missing = Object.assign(new Error('Cannot find module'), { code: 'MODULE_NOT_FOUND' })

test('on Node 20 a missing SQLite driver names the package to install and warns that it may compile', () => {
  const text = describeFailure('better-sqlite3', missing, 'v20.20.2')
  expect(text).toContain(
    'Node v20.20.2 needs one more package for SQLite, which Node 22 and later do not: run "npm install better-sqlite3@12"',
  )
  expect(text).toContain('python3, make and g++')
})

test('the remedy for a driver installed by another Node version is to rebuild it', () => {
  const other = Object.assign(new Error('was compiled against a different Node.js version'), { code: 'ERR_DLOPEN_FAILED' })
  expect(describeFailure('better-sqlite3', other)).toContain('Run "npm rebuild better-sqlite3" with this Node')
})

test('from Node 22 on no remedy needs a compiler', () => {
  const text = describeFailure('better-sqlite3-napi', missing, 'v22.23.3')
  expect(text).toContain('npm must be allowed to install optional packages')
  expect(text).not.toMatch(/compile|python|g\+\+/)
})
